// The tools above the map: find a word, what dragging does, zoom, and choosing what is in view.
import { made } from "./made.js";
import { searchBox } from "./see_search.js";

const MODES = { move: "Move", lasso: "Lasso", rectangle: "Rectangle" };

export function tools(view) {
  const mode = ([id, text]) => made("label", {}, made("input", { type: "radio", name: "see-mode", value: id, checked: id === "move", onchange: () => { view.mode = id; } }), ` ${text}`);
  const zoom = (factor) => () => { view.picture.camera.zoom(factor, view.picture.width / 2, view.picture.height / 2); view.picture.draw(); };
  const button = (text, title, onclick) => made("button", { type: "button", title, "aria-label": title, onclick }, text);
  return made("div", { class: "see-tools", role: "group", "aria-label": "Map" },
    searchBox(view.app, (word) => view.find(word)),
    ...Object.entries(MODES).map(mode),
    button("+", "Zoom in", zoom(1.5)), button("−", "Zoom out", zoom(1 / 1.5)), button("All", "Show the whole map", () => view.picture.fit()),
    button("Choose what is in view", "Choose what is in view", () => view.chooseView()));
}
