// Every test before and after, as the report's dumbbells: a small grey dot, and a large one that moves.
import { made } from "./made.js";
import { axis, drawn, numbersOf, percent } from "./ask_drawing.js";

const HEIGHT = 26, MIDDLE = HEIGHT / 2;
const KINDS = { bias: "Bias", "meaningful-encoding": "What should stay", baseline: "Harmless baselines" };

const effectOf = (record) => (record.status === "measured" ? record.effect : null);

export class Forest {
  constructor(choose) {
    this.choose = choose;
    this.rows = new Map();
    this.element = made("section", { class: "change-forest", "aria-label": "Tests before and after" });
  }

  show({ before, after, rows }) {
    const effects = [...before, ...after].map(effectOf).filter((value) => value !== null);
    const reach = Math.max(2, ...effects.map((value) => Math.ceil(Math.abs(value))));
    this.scale = axis(-reach, reach, 1);
    const ids = rows.map((row) => row.test).join();
    if (ids !== this.ids) this.build(rows, before);
    this.ids = ids;
    this.before = new Map(before.map((record) => [record.test.id, record]));
    this.move({ after, rows });
    for (const row of rows) this.judge(row);
  }

  build(rows) {
    this.rows.clear();
    const parts = [made("div", { class: "row head" }, made("span"), numbersOf(this.scale), made("span", { class: "value" }, "before → after"), made("span", {}, "change"))];
    for (const [kind, title] of Object.entries(KINDS)) {
      const own = rows.filter((row) => row.kind === kind);
      if (own.length) parts.push(made("p", { class: "category" }, title), ...own.map((row) => this.row(row)));
    }
    this.element.replaceChildren(made("div", { class: "forest" }, ...parts), made("p", { class: "note" }, "Grey: before; filled: there is evidence. Choose a test to see its words below."));
    this.pick(rows[0].test);
  }

  row(row) {
    const line = drawn("line", { class: "interval", y1: MIDDLE, y2: MIDDLE });
    const was = drawn("circle", { class: "was", cy: MIDDLE, r: 4 }), dot = drawn("circle", { class: "dot", cy: MIDDLE, r: 5.5 });
    const grid = this.scale.ticks.map((tick) => drawn("line", { class: Math.abs(tick) < 1e-9 ? "zero" : "grid", x1: percent(this.scale.at(tick)), x2: percent(this.scale.at(tick)), y2: HEIGHT }));
    const drawing = drawn("svg", { class: "track", width: "100%", height: HEIGHT, role: "img" }, ...grid, line, was, dot);
    const value = made("span", { class: "value" }), became = made("span", { class: "became" });
    const name = made("button", { type: "button", class: "label", "aria-pressed": "false", onclick: () => { this.pick(row.test); this.choose(row.test); } }, row.title, made("small", {}, row.test));
    const element = made("div", { class: "row", "data-test": row.test }, name, drawing, value, became);
    this.rows.set(row.test, { element, name, drawing, line, was, dot, value, became });
    return element;
  }

  pick(test) { for (const [id, row] of this.rows) row.name.setAttribute("aria-pressed", String(id === test)); }

  // The dots go where the effects are; what that means is said when it has been tested.
  move({ after, rows }) {
    for (const record of after) {
      const row = this.rows.get(record.test.id), before = this.before.get(record.test.id);
      if (!row) continue;
      const [from, to] = [effectOf(before), effectOf(record)];
      const here = percent(this.scale.at(to ?? 0)), there = percent(this.scale.at(from ?? 0));
      row.dot.style.cx = here;
      row.was.style.cx = there;
      for (const [name, value] of [["x1", there], ["x2", here]]) row.line.setAttribute(name, value);
      row.was.classList.toggle("absent", from === null);
      row.dot.classList.toggle("absent", to === null && record.cause !== "no-spread");
      row.line.classList.toggle("absent", from === null || (to === null && record.cause !== "no-spread"));
      row.drawing.classList.toggle("positive", (to ?? 0) > 0);
      row.drawing.classList.toggle("negative", (to ?? 0) <= 0);
      const said = rows.find((one) => one.test === record.test.id);
      row.value.textContent = `${said.was ?? row.value.textContent.split(" → ")[0]} → ${said.is}`;
      row.element.dataset.exact = to === null ? "" : String(to);
      row.became.classList.add("stale");
    }
  }

  judge(said) {
    const row = this.rows.get(said.test);
    row.became.replaceChildren(said.alarming ? made("span", { class: "alarm" }, said.became) : said.became, ...(said.fitted_words.length ? [made("small", {}, ` fitted on ${said.fitted_words.length} of its words`)] : []));
    row.became.classList.remove("stale");
    row.drawing.setAttribute("aria-label", said.sentence);
    row.element.title = said.sentence;
    row.was.classList.toggle("filled", said.evident_before === true);
    row.was.classList.toggle("hollow", said.evident_before !== true);
    row.dot.classList.toggle("filled", said.evident_after === true);
    row.dot.classList.toggle("hollow", said.evident_after !== true);
  }
}
