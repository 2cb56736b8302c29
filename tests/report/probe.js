(async () => {
  const root = document.documentElement;
  const later = (time) => new Promise((done) => setTimeout(done, time));
  const hover = (target) => target.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  const tip = document.getElementById("tip");
  const seen = { width: root.clientWidth };

  location.hash = "#test-1";
  await later(50);
  const folds = [...document.querySelectorAll("details")];
  const open = () => folds.filter((fold) => fold.open);
  seen.opened = open().map((fold) => fold.id || fold.className);
  const button = (text) => [...document.querySelectorAll("nav button")].find((one) => one.textContent === text);
  dispatchEvent(new Event("beforeprint"));
  dispatchEvent(new Event("afterprint"));
  seen.openAfterPrint = open().length;
  button("Show all").click();
  seen.openAfterAll = open().length === folds.length;
  seen.nameless = [...document.querySelectorAll("a, button")]
    .filter((one) => !one.textContent.trim() && !one.getAttribute("aria-label")).map((one) => one.outerHTML);
  seen.overflow = root.scrollWidth - root.clientWidth;

  seen.tips = ["#test-1 .words circle", ".forest circle", ".cell[href]", ".tally a"].map((where) => {
    const target = document.querySelector(where);
    target.scrollIntoView();
    hover(target);
    const box = tip.getBoundingClientRect();
    return {
      where,
      text: tip.hidden ? "" : tip.textContent,
      inside: box.left >= 0 && box.right <= root.clientWidth && box.top >= 0,
    };
  });
  hover(document.querySelector("h1"));
  seen.hidden = tip.hidden && getComputedStyle(tip).display === "none";

  const labels = [...document.querySelectorAll(".words, .cloud")].map((row) =>
    [...row.querySelectorAll(":scope > svg > text")]
      .filter((text) => getComputedStyle(text).display !== "none")
      .map((text) => [text.textContent, text.getBoundingClientRect()]));
  const clashes = (row) => row.flatMap(([word, one], at) => row.slice(at + 1)
    .filter(([, two]) =>
      Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 &&
      Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 6)
    .map(([other]) => word + " " + other));
  seen.labels = labels.flat().length;
  seen.clashes = labels.flatMap(clashes);
  seen.outside = labels.flat().filter(([, box]) => box.left < 0 || box.right > root.clientWidth).map(([word]) => word);
  seen.devanagari = labels.flat().filter(([word]) => /[\u0900-\u097f]/.test(word)).map(([, box]) => box.width);

  const colours = (selector) => {
    const style = getComputedStyle(document.querySelector(selector));
    return [style.color, style.backgroundColor];
  };
  const [ink, paper] = colours("body");
  const [strong, fill] = colours("a.cell.biased");
  const cell = document.querySelector("a.cell.biased");
  const was = cell.className;
  seen.steps = ["positive", "negative", "positive harmless"].map((way) => [1, 2, 3, 4, 5, 6].map((step) => {
    cell.className = "cell biased " + way + " step-" + step;
    return getComputedStyle(cell).backgroundColor;
  }));
  cell.className = was;
  Object.assign(seen, { ink, paper, soft: colours(".note")[0], strong, fill });
  // What a click on the links of a figure would write to a file.
  const saved = (figure, ending) => new Promise((done) => {
    const { createObjectURL } = URL, { click } = HTMLAnchorElement.prototype;
    let blob;
    URL.createObjectURL = (one) => { blob = one; return "blob:none"; };
    HTMLAnchorElement.prototype.click = function () {
      URL.createObjectURL = createObjectURL;
      HTMLAnchorElement.prototype.click = click;
      done([this.download, blob]);
    };
    figure.querySelector(`[data-save=${ending}]`).click();
  });
  const figures = ["figure.pooled", ".strip", ".influence", ".panel.wide", "#effects .forest"].map((where) => document.querySelector(where));
  seen.saved = [];
  for (const figure of figures) {
    const [name, blob] = await saved(figure, "svg");
    const box = figure.getBoundingClientRect();
    seen.saved.push({ name, text: await blob.text(), said: figure.innerText, wide: box.width, high: box.height });
  }
  const [name, picture] = await saved(figures[1], "png");
  const { width, height } = await createImageBitmap(picture);
  seen.picture = { name, type: picture.type, width, height };
  seen.unsaved = [...document.querySelectorAll("figure:not(.coverage)")].filter((one) => !one.querySelector(".save")).length;

  button("Light / dark").click();
  seen.otherPaper = colours("body")[1];

  button("Fold all").click();
  seen.openAtLast = open().length;
  location.hash = "#effects";
  await later(50);
  const { top } = document.getElementById("effects").getBoundingClientRect();
  seen.reached = open().length === 1 && top >= 0 && top < innerHeight;
  open()[0].open = false;
  [...document.querySelectorAll("nav a")].find((link) => link.hash === "#effects").click();
  seen.reachedAgain = open().length === 1;

  seen.loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  seen.errors = errors;
  parent.postMessage(seen, "*");
})();
