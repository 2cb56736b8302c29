addEventListener("load", () => {
  "use strict";
  const NAMES = [
    "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "opacity", "paint-order", "vector-effect", "text-anchor",
    "font-size", "font-weight",
  ];
  const told = (one) => {
    const style = getComputedStyle(one), move = one.getCTM(), written = ["text", "tspan"].includes(one.localName);
    const names = NAMES.filter((name) => written || !/^(font|text)/.test(name));
    const places = [move.a, move.d, move.e, move.f].map((number) => number.toFixed(1));
    return [one.localName, ...names.map((name) => name + " " + style.getPropertyValue(name)), ...places];
  };
  const seen = (root) => [...root.querySelectorAll("circle, line, path, polygon, text, tspan, rect")]
    .filter((one) => getComputedStyle(one).display !== "none").map(told);
  const pages = [document.querySelector("svg"), document.getElementById("alone").contentDocument];
  document.getElementById("answers").textContent = JSON.stringify(pages.map(seen));
});
