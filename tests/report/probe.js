(async () => {
  const root = document.documentElement;
  const later = (time) => new Promise((done) => setTimeout(done, time));
  const hover = (target) => target.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  const tip = document.getElementById("tip");
  const seen = { width: root.clientWidth };

  location.hash = "#test-1";
  await later(50);
  seen.opened = document.getElementById("test-1").open;

  const tests = [...document.querySelectorAll("details.test")];
  dispatchEvent(new Event("beforeprint"));
  seen.openInPrint = tests.every((test) => test.open);
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

  dispatchEvent(new Event("afterprint"));
  seen.openAfterPrint = tests.filter((test) => test.open).length;

  const colours = (selector) => {
    const style = getComputedStyle(document.querySelector(selector));
    return [style.color, style.backgroundColor];
  };
  const [ink, paper] = colours("body");
  const [strong, fill] = colours("a.cell.biased");
  Object.assign(seen, { ink, paper, soft: colours(".note")[0], strong, fill });
  document.querySelector("nav button").click();
  seen.otherPaper = colours("body")[1];

  seen.loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  seen.errors = errors;
  parent.postMessage(seen, "*");
})();
