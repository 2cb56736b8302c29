// The words that were chosen on the map: a table that can be read without seeing, and ways into the four lists.
import { counted, made } from "./made.js";
import { ROLES } from "./see_points.js";

const MOST = 100;
const LONGEST_LIST = 500; // as the server takes
const figure = (value) => (value == null ? "" : value.toFixed(3).replace("-", "−"));

// Short heads: what an axis is about, unless both are about the same.
const named = ([across, up]) => (across.about === up.about ? [across.title, up.title] : [across.about, up.about]);

export class Chosen {
  constructor(app, does) {
    this.app = app;
    this.does = does;
    this.note = made("p", { class: "note" });
    this.place = made("section", { class: "see-chosen", "aria-label": "Chosen words" });
  }

  show(map, chosen) {
    if (!chosen.size) this.note.textContent = "";
    const rows = [...chosen].sort((one, other) => one - other);
    const words = rows.map((index) => map.words[index]);
    const into = Object.entries(ROLES).map(([role, shape]) => made("button", { type: "button", "data-into": role, onclick: () => this.into(role, words) }, `${shape} into ${role.toUpperCase()}`));
    const head = made("p", { class: "see-into" }, made("strong", {}, `${counted(words.length, "word")} chosen`), " ", ...into, made("button", { type: "button", onclick: () => this.does.clear() }, "Clear"));
    if (!words.length) {
      this.place.replaceChildren(made("p", { class: "note" }, "Click words, or draw around them with Lasso or Rectangle; what is chosen is listed here and can go into the lists X, Y, A and B."));
      return;
    }
    const names = map.layout === "axes" ? named(map.axes) : ["across", "up"];
    const heads = ["word", ...names, ...(map.leanings && map.layout !== "axes" ? [map.shade.about] : [])];
    const body = rows.slice(0, MOST).map((index) => made("tr", {},
      made("th", { scope: "row" }, made("button", { type: "button", class: "see-word", onclick: () => this.does.point(index) }, map.words[index])),
      ...[map.x[index], map.y[index], ...(heads.length > 3 ? [map.leanings[index]] : [])].map((value) => made("td", {}, figure(value)))));
    const more = words.length > MOST ? [made("p", { class: "note" }, `The first ${MOST} of them are listed; the buttons take all.`)] : [];
    this.place.replaceChildren(head, this.note, made("div", { class: "see-table", tabindex: "0", role: "region", "aria-label": "Table of the chosen words" },
      made("table", { class: "plain" }, made("thead", {}, made("tr", {}, ...heads.map((name) => made("th", { scope: "col" }, name)))), made("tbody", {}, ...body))), ...more);
  }

  // A word stands in a list once; what is there already stays where it is.
  into(role, words) {
    const list = this.app.lists[role], fresh = words.filter((word) => !list.includes(word)), room = fresh.slice(0, LONGEST_LIST - list.length);
    this.app.lists[role] = [...list, ...room];
    this.app.changed("lists");
    const said = `${counted(room.length, "word")} put into ${role.toUpperCase()}, which now has ${this.app.lists[role].length}.`;
    const full = room.length < fresh.length ? ` A list has ${LONGEST_LIST} words at most; ${counted(fresh.length - room.length, "was", "were")} left out.` : "";
    this.note.textContent = said + full;
    this.app.tell(said + full);
  }
}
