(() => {
  "use strict";
  // Every figure can be saved as it is seen: what is drawn and written in it, as one SVG that needs no style sheet.
  const SPACE = "http://www.w3.org/2000/svg", EDGE = 16, LARGEST = 16000;
  const USUAL = {
    fill: "", stroke: "none", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter",
    opacity: "1", "paint-order": "normal", "vector-effect": "none", "text-anchor": "start", "font-size": "", "font-family": "", "font-weight": "400",
  };
  const DRAWN = "figure:not(.coverage), .forest:not(figure), .panel.wide";
  const pen = document.createElement("canvas").getContext("2d");

  const made = (name, attributes, ...children) => {
    const element = document.createElementNS(SPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  let family = "";
  const copied = (node) => {
    const style = getComputedStyle(node);
    if (style.display === "none") return "";
    const copy = node.cloneNode(false), written = ["text", "tspan"].includes(node.localName);
    for (const name of copy.getAttributeNames()) if (/^(class|style|role|aria-|data-|tabindex)/.test(name)) copy.removeAttribute(name);
    if (node.localName !== "tspan" && node.localName !== "svg" && node.localName !== "title") {
      for (const [name, usual] of Object.entries(USUAL)) {
        const value = style.getPropertyValue(name);
        if (value !== usual && value !== family && (written || !/^(font|text)/.test(name))) copy.setAttribute(name, value);
      }
      if (style.transform !== "none") copy.setAttribute("transform", style.transform);
    }
    // A style sheet shows what reaches out of a drawing within a drawing; alone it would be cut.
    if (node.localName === "svg") copy.setAttribute("overflow", "visible");
    if (node.dataset.tip) copy.append(made("title", {}, node.dataset.tip));
    for (const child of node.childNodes) copy.append(child.nodeType === 1 ? copied(child) : child.cloneNode());
    return copy;
  };
  const lines = (text) => {
    const found = [], range = document.createRange();
    for (const word of text.data.matchAll(/\S+/g)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const box = range.getBoundingClientRect(), last = found[found.length - 1];
      if (last && Math.abs(last.box.top - box.top) < 2) last.words += " " + word[0];
      else if (box.width) found.push({ box, words: word[0] });
    }
    return found;
  };
  const drawn = (figure) => {
    const frame = figure.getBoundingClientRect(), parts = [];
    let right = frame.right, bottom = frame.top;
    family = getComputedStyle(figure).fontFamily;
    const place = (box) => {
      right = Math.max(right, box.right);
      bottom = Math.max(bottom, box.bottom);
      return { x: (box.left - frame.left + EDGE).toFixed(1), y: (box.top - frame.top + EDGE).toFixed(1) };
    };
    const walk = (node) => {
      const style = getComputedStyle(node), box = node.getBoundingClientRect();
      if (style.display === "none" || node.matches(".save")) return;
      const size = { width: box.width, height: box.height };
      if (node.localName === "svg") {
        const copy = copied(node);
        for (const [name, value] of Object.entries({ ...place(box), ...size })) copy.setAttribute(name, value);
        parts.push(copy);
        return;
      }
      const line = parseFloat(style.borderBottomWidth) && style.borderTopStyle === style.borderBottomStyle;
      if (line || !/, 0\)$|transparent/.test(style.backgroundColor)) {
        parts.push(made("rect", {
          ...place(box), ...size, rx: Math.min(parseFloat(style.borderRadius) || 0, box.width / 2), fill: style.backgroundColor,
          ...(line ? { stroke: style.borderBottomColor, "stroke-width": style.borderBottomWidth, "stroke-dasharray": { dashed: "4 3", dotted: "1 2" }[style.borderBottomStyle] || "none" } : {}),
        }));
      }
      for (const child of node.childNodes) {
        if (child.nodeType === 1) walk(child);
        else if (child.nodeType === 3) {
          pen.font = style.font;
          const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = pen.measureText("x");
          for (const { box, words } of lines(child)) {
            const { x, y } = place(box), base = (+y + box.height * up / (up + down)).toFixed(1);
            parts.push(made("text", {
              x, y: base, fill: style.color, ...(style.fontFamily === family ? {} : { "font-family": style.fontFamily }), "font-size": style.fontSize, "font-weight": style.fontWeight, "font-style": style.fontStyle,
            }, words));
          }
        }
      }
    };
    for (const child of figure.children) walk(child);
    const width = Math.ceil(right - frame.left + 2 * EDGE), height = Math.ceil(bottom - frame.top + 2 * EDGE);
    const paper = made("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor });
    return made("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": family }, made("title", {}, named(figure, true)), paper, ...parts);
  };
  const named = (figure, whole) => {
    const test = figure.closest("details.test"), head = figure.querySelector("figcaption, h3") || (figure.closest("details, section") || document).querySelector("summary, h2");
    const parts = [test && test.querySelector(whole ? "summary > span + span" : "summary small"), head && head.firstChild];
    const said = parts.filter(Boolean).map((part) => part.textContent);
    return (whole || !test ? [document.title, ...said] : said).join(": ").replace(/\s+/g, " ").trim();
  };
  const keep = (blob, figure, ending) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = named(figure).replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").slice(0, 100) + "." + ending;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const save = (figure, ending) => {
    const svg = drawn(figure), text = new XMLSerializer().serializeToString(svg);
    if (ending === "svg") return keep(new Blob([text], { type: "image/svg+xml" }), figure, ending);
    const image = new Image(), wide = +svg.getAttribute("width"), high = +svg.getAttribute("height");
    const scale = Math.min(2, LARGEST / Math.max(wide, high));
    image.onload = () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: wide * scale, height: high * scale });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => keep(blob, figure, ending));
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  };
  for (const figure of document.querySelectorAll(DRAWN)) {
    const place = document.createElement("p");
    place.className = "save";
    place.innerHTML = '<button type="button" data-save="svg">Save as SVG</button> <button type="button" data-save="png">PNG</button>';
    figure.append(place);
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("[data-save]");
    if (link) save(link.closest(".save").parentNode, link.dataset.save);
  });
})();
