(() => {
  "use strict";
  // Native tooltips are slow and absent on phones: one box takes their place, and without this
  // script they still work.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  for (const title of document.querySelectorAll("svg title")) {
    title.parentNode.dataset.tip = title.textContent;
    title.parentNode.setAttribute("aria-label", title.textContent);
    title.remove();
  }
  for (const owner of document.querySelectorAll("[title]")) {
    owner.dataset.tip = owner.title;
    // A mark alone has no other name for those who listen.
    if (!owner.textContent.trim()) owner.setAttribute("aria-label", owner.title);
    owner.removeAttribute("title");
  }
  const show = (event) => {
    const owner = event.target.closest && event.target.closest("[data-tip]");
    tip.hidden = !owner;
    if (!owner) return;
    tip.textContent = owner.dataset.tip;
    const spot = (owner.querySelector(":scope > circle") || owner).getBoundingClientRect();
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    const left = spot.left + spot.width / 2 - tip.offsetWidth / 2;
    const above = spot.top - tip.offsetHeight - 8;
    tip.style.left = Math.max(8, Math.min(left, room)) + "px";
    tip.style.top = (above > 8 ? above : spot.bottom + 8) + "px";
  };
  const hide = () => { tip.hidden = true; };
  for (const name of ["pointerover", "pointerdown", "focusin"]) document.addEventListener(name, show);
  document.addEventListener("scroll", hide, { passive: true });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  // A link into a fold opens it, and all that it lies in.
  const openTarget = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const first = target && target.closest("details");
    if (!first) return;
    for (let fold = first; fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", openTarget);
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href^='#']");
    // The address does not change if the same link is followed twice.
    if (link && link.hash === location.hash) openTarget();
  });
  openTarget();
  addEventListener("beforeprint", hide);

  const tests = () => [...document.querySelectorAll("details.test")];
  const button = (text, place, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", () => act(made));
    place.append(made);
  };
  const section = document.querySelector("#tests > p");
  if (section) button("Open all", section, (made) => {
    const open = tests().some((test) => !test.open);
    for (const test of tests()) test.open = open;
    made.textContent = open ? "Close all" : "Open all";
  });
  const folds = document.querySelectorAll(".fold, .fold details");
  if (document.querySelector(".fold")) button("Show all", document.querySelector("nav"), (made) => {
    const open = [...folds].some((fold) => !fold.open);
    for (const fold of folds) fold.open = open;
    made.textContent = open ? "Fold all" : "Show all";
  });
  button("Light / dark", document.querySelector("nav"), () => {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
})();
{% include "saving.js" %}
