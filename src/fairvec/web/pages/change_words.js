// The words of one test before and after: a ring where each leaned, and a mark that moves away from it.
import { inThePage, made } from "./made.js";
import { axisOf, drawn, numbersOf, percent, signed } from "./ask_drawing.js";

const HEIGHT = 20, MIDDLE = HEIGHT / 2;

export class MovedWords {
  constructor() {
    this.caption = made("h3", {});
    this.why = made("p", { class: "note" });
    this.place = made("div", { class: "pair" });
    this.ends = made("p", { class: "ends" });
    this.element = made("section", { class: "change-words", "aria-label": "Words before and after" }, this.caption, this.why, this.place, this.ends);
  }

  choose(test) { this.test = test; this.draw(); }

  show({ before, after }) {
    Object.assign(this, { before, after });
    if (!before.some((record) => record.test.id === this.test)) this.test = before[0]?.test.id;
    this.draw();
  }

  move({ after }) { this.after = after; this.place_marks(); }

  of(records) { return records?.find((record) => record.test.id === this.test); }

  draw() {
    const was = this.of(this.before);
    if (!was) return;
    const words = was.words ?? [], titles = Object.fromEntries((was.coverage ?? []).map((group) => [group.role, group.title]));
    this.caption.textContent = was.test.title;
    this.why.textContent = was.status === "measured" ? "" : inThePage(was.reason ?? "");
    this.element.hidden = false;
    const key = `${this.test} ${was.model.sha256}`;
    if (key !== this.key) this.build(words, titles);
    this.key = key;
    this.place_marks();
  }

  build(words, titles) {
    this.marks = new Map();
    this.scale = axisOf([0, ...words.map((word) => word.score)], window.innerWidth < 720 ? 3 : 6);
    const column = (role) => {
      const own = words.filter((word) => word.role === role).sort((one, other) => other.score - one.score);
      return made("div", {}, made("p", { class: "category" }, made("i", { class: `dot-${role}` }), titles[role] ?? role), made("div", { class: "row head" }, made("span"), numbersOf(this.scale), made("span")), ...own.map((word) => this.row(word)));
    };
    this.place.replaceChildren(...(words.length ? [column("x"), column("y")] : []));
    this.ends.replaceChildren(made("span", {}, words.length ? `← ${titles.b ?? "B"}` : ""), made("span", {}, words.length ? `${titles.a ?? "A"} →` : ""));
  }

  row(word) {
    const at = percent(this.scale.at(word.score)), zero = percent(this.scale.at(0));
    const way = drawn("line", { class: "way", x1: at, y1: MIDDLE, y2: MIDDLE });
    const ring = drawn("circle", { class: "was hollow", cx: at, cy: MIDDLE, r: 4 });
    const mark = drawn("circle", { class: `is ${word.role}`, cy: MIDDLE, r: 4.5 });
    const value = made("span", { class: "value" });
    const told = [word.word, word.transliteration, word.gloss && `“${word.gloss}”`].filter(Boolean).join(" · ");
    this.marks.set(`${word.role} ${word.word}`, { way, mark, value, from: word.score, told, drawing: null });
    const drawing = drawn("svg", { class: "track", width: "100%", height: HEIGHT, role: "img" }, drawn("line", { class: "zero", x1: zero, x2: zero, y2: HEIGHT }), way, ring, mark);
    this.marks.get(`${word.role} ${word.word}`).drawing = drawing;
    return made("div", { class: "row", title: told }, made("span", { class: "label" }, word.word), drawing, value);
  }

  place_marks() {
    const record = this.of(this.after);
    if (!record || !this.marks) return;
    for (const word of record.words ?? []) {
      const one = this.marks.get(`${word.role} ${word.word}`);
      if (!one) continue;
      const here = percent(this.scale.at(word.score));
      one.mark.style.cx = here;
      one.way.setAttribute("x2", here);
      one.value.textContent = signed(word.score, 3);
      one.drawing.setAttribute("aria-label", `${one.told}: from ${signed(one.from, 3)} to ${signed(word.score, 3)}`);
    }
  }
}
