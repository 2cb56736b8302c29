(() => {
  "use strict";
  document.documentElement.classList.add("scripted");
  const byId = (id) => document.getElementById(id);

  // The note of a mark lights up; where it is out of sight, a box at the mark says the same.
  let lit = [];
  const light = (...them) => {
    for (const one of lit) one.classList.remove("lit");
    lit = them;
    for (const one of lit) one.classList.add("lit");
  };
  const inSight = (one) => {
    const box = one.getBoundingClientRect();
    return box.height > 0 && box.bottom > 0 && box.top < innerHeight;
  };
  const look = (event) => {
    const target = event.target.closest ? event.target : document.body;
    const mark = target.closest(".m[data-n], label.edit");
    if (mark) {
      const box = mark.htmlFor && byId(mark.htmlFor);
      const note = byId(mark.dataset.n) || (box && box.closest(".note"));
      if (!note) return light();
      light(note, mark);
      delete mark.dataset.tip;
      if (!inSight(note)) mark.dataset.tip = note.textContent.trim();
      return;
    }
    const note = target.closest(".note[id]");
    const text = note && note.closest(".text");
    if (!text) return light();
    const box = note.querySelector("input");
    const places = box ? `label.edit[data-c~="${box.dataset.c}"]` : `.m[data-n="${note.id}"]`;
    light(note, ...text.querySelectorAll(places));
  };
  for (const name of ["pointerover", "pointerdown", "focusin"]) document.addEventListener(name, look);

  for (const button of document.querySelectorAll("button.notes")) {
    const text = button.parentNode.nextElementSibling;
    button.parentNode.hidden = false;
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", text.classList.toggle("all-notes"));
    });
  }

  // Words that stand in the text more than once: their note leads from one to the next.
  for (const times of document.querySelectorAll(".times")) {
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Go to the next place";
    button.textContent = times.textContent;
    times.replaceChildren(button);
  }
  document.addEventListener("click", (event) => {
    const times = event.target.closest(".times");
    const note = times && times.closest(".note[id]");
    if (!note) return;
    const all = [...note.closest(".text").querySelectorAll(`.m[data-n="${note.id}"][data-tag]`)];
    const next = all[(all.findIndex((one) => one === note.at) + 1) % all.length];
    note.at = next;
    next.tabIndex = 0;
    next.scrollIntoView({ block: "center" });
    next.focus({ preventScroll: true });
  });

  const safe = /^[\w@%+=:,./-]+$/;
  const quoted = (word) => (safe.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

  for (const part of document.querySelectorAll(".rewriting")) {
    const find = (where) => part.querySelector(where);
    const text = JSON.parse(byId(part.dataset.text).textContent);
    const { changes, file, before } = JSON.parse(find("script.data").textContent);
    const boxes = changes.map((change) => change.box && byId(change.box));
    boxes.forEach((box, number) => { if (box) box.dataset.c = number; });
    // The list has boxes too: on a phone the margin is out of sight.
    const twins = [...part.querySelectorAll("td.is")].map((cell, number) => {
      if (!boxes[number]) return null;
      const twin = document.createElement("input");
      twin.type = "checkbox";
      twin.setAttribute("aria-label", `Accept ${changes[number].id}`);
      twin.addEventListener("change", () => boxes[number].click());
      cell.replaceChildren(twin);
      return twin;
    });
    const frame = find(".preview-frame");
    const on = (number) => Boolean(boxes[number] && boxes[number].checked);

    const made = () => {
      const edits = new Map();
      changes.forEach((change, number) => {
        if (on(number)) for (const edit of change.edits) edits.set(edit.join(" "), edit);
      });
      const parts = [];
      let done = 0;
      for (const [start, end, fresh] of [...edits.values()].sort((one, two) => one[0] - two[0])) {
        parts.push(text.slice(done, start), fresh);
        done = end;
      }
      return [...parts, text.slice(done)].join("");
    };
    const accept = (number) => {
      for (const rival of changes[number].against) if (boxes[rival]) boxes[rival].checked = false;
      boxes[number].checked = true;
    };
    const rules = [...part.querySelectorAll("[data-rule]")].map((box) => ({
      box,
      of: changes.flatMap((change, number) => (boxes[number] && change.rule === box.dataset.rule ? [number] : [])),
    }));
    const show = () => {
      const ids = changes.filter((_, number) => on(number)).map((change) => change.id);
      const acceptable = boxes.filter(Boolean).length;
      find(".state").textContent = `${ids.length} of ${acceptable} ${acceptable === 1 ? "change" : "changes"} accepted`;
      for (const edit of part.querySelectorAll("label.edit"))
        edit.classList.toggle("on", edit.dataset.c.split(" ").some(on));
      for (const choice of part.querySelectorAll(".choice"))
        choice.classList.toggle("on", Boolean(choice.querySelector(".on")));
      boxes.forEach((box, number) => { if (box) twins[number].checked = box.checked; });
      for (const { box, of } of rules) {
        const taken = of.filter(on).length;
        box.checked = taken > 0;
        box.indeterminate = taken > 0 && taken < of.length;
      }
      if (frame.open) find(".preview").textContent = made();
      find(".save").disabled = !ids.length;
      if (before) find(".typed code").textContent = ids.length ? `${before} --accept ${quoted(ids.join(","))}` : "(no change is accepted)";
    };
    for (const hidden of part.querySelectorAll("[hidden]")) hidden.hidden = false;
    boxes.forEach((box, number) => {
      if (box) box.addEventListener("change", () => { if (box.checked) accept(number); show(); });
    });
    // Of those that cannot stand together the first is taken, as it is before anybody decides.
    const acceptAll = (numbers) => {
      const among = new Set(numbers);
      for (const number of numbers)
        if (!changes[number].against.some((rival) => rival < number && among.has(rival) && on(rival))) accept(number);
    };
    for (const { box, of } of rules) box.addEventListener("change", () => {
      if (box.checked) acceptAll(of); else for (const number of of) boxes[number].checked = false;
      show();
    });
    find(".all").addEventListener("click", () => {
      acceptAll([...changes.keys()].filter((number) => boxes[number]));
      show();
    });
    find(".no").addEventListener("click", () => {
      for (const box of boxes) if (box) box.checked = false;
      show();
    });
    frame.addEventListener("toggle", show);
    frame.open = text.length < 20000;
    find(".save").addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([made()], { type: "text/plain;charset=utf-8" }));
      link.download = file;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    });
    show();
  }
})();
