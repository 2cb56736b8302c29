(async () => {
  const root = document.documentElement;
  const seen = { width: root.clientWidth, rewritings: [] };
  const tip = document.getElementById("tip");
  for (const fold of document.querySelectorAll("details.document")) fold.open = true;
  const later = (time) => new Promise((done) => setTimeout(done, time));
  await later(50);

  const bare = (text) => {
    const copy = text.cloneNode(true);
    for (const note of copy.querySelectorAll(".note")) note.remove();
    return copy.textContent;
  };
  seen.texts = [...document.querySelectorAll(".text:not(.diff)")].map(bare);

  const saved = [];
  // Reading a real Blob takes real time, which a browser without a screen does not wait for.
  window.Blob = class { constructor(parts) { saved.push(parts.join("")); } };
  URL.createObjectURL = () => "blob:nothing";
  HTMLAnchorElement.prototype.click = function () { seen.file = this.download; };
  for (const part of document.querySelectorAll(".rewriting")) {
    const boxes = [...part.querySelectorAll(".note input")];
    const names = boxes.map((box) => box.closest(".note").querySelector("small").textContent.split(" · ").pop());
    const steps = [];
    const step = (what) => {
      const before = saved.length;
      part.querySelector(".save").click();
      steps.push({
        what,
        accepted: names.filter((_, number) => boxes[number].checked),
        listed: [...part.querySelectorAll("td.is input")].map((twin) => twin.checked).join() === boxes.map((box) => box.checked).join(),
        preview: part.querySelector(".preview").textContent,
        saved: saved.length > before ? saved[before] : null,
        command: part.querySelector(".typed code").textContent,
        state: part.querySelector(".state").textContent,
      });
    };
    part.querySelector(".preview-frame").open = true;
    await later(20);
    step("start");
    part.querySelector(".no").click();
    step("none");
    part.querySelector(".all").click();
    step("all");
    boxes.forEach((box, number) => { box.click(); step(`click ${names[number]}`); });
    boxes.forEach((box, number) => {
      part.querySelector(`label.edit[for="${box.id}"]`)?.click();
      step(`label ${names[number]}`);
    });
    for (const rule of part.querySelectorAll("[data-rule]")) {
      rule.click();
      step(`rule ${rule.dataset.rule} ${rule.checked} ${rule.indeterminate}`);
    }
    seen.rewritings.push(steps);
  }

  const reach = (mark) => {
    mark.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    const note = document.getElementById(mark.dataset.n);
    const box = note.getBoundingClientRect();
    return {
      word: mark.textContent,
      lit: note.classList.contains("lit"),
      beside: box.height ? Math.round(box.left - mark.getBoundingClientRect().right) : null,
      inSight: box.height > 0 && box.bottom > 0 && box.top < innerHeight,
      tip: tip.hidden ? "" : tip.textContent,
    };
  };
  const marks = [...document.querySelectorAll('.text .m[tabindex="0"]')];
  seen.marks = marks.map((mark) => { mark.scrollIntoView({ block: "center" }); return reach(mark); });
  const show = document.querySelector("button.notes");
  if (show) show.click();
  seen.shown = [...document.querySelectorAll(".all-notes .note")].filter((note) => note.getBoundingClientRect().height > 0).length;
  seen.overflow = root.scrollWidth - root.clientWidth;

  const colour = (where, pseudo) => { const one = document.querySelector(where); return one ? getComputedStyle(one, pseudo).color : null; };
  seen.paper = getComputedStyle(document.body).backgroundColor;
  seen.colours = {
    a: colour(".text .m.of-a[data-tag]", "::after"), b: colour(".text .m.of-b[data-tag]", "::after"),
    note: colour(".text .note"), struck: colour(".diff .on del"), fresh: colour(".diff .on ins"), offered: colour(".diff .edit ins"),
  };
  seen.tint = [...document.querySelectorAll(".text .leaning")].map((one) => getComputedStyle(one).backgroundColor)[0] ?? null;
  dispatchEvent(new Event("beforeprint"));
  seen.open = [...document.querySelectorAll("details.document")].every((fold) => fold.open);
  seen.loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  seen.errors = errors;
  parent.postMessage(seen, "*");
})().catch((error) => parent.postMessage({ width: document.documentElement.clientWidth, errors: [String(error.stack)] }, "*"));
