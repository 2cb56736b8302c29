// Words over several concepts at once; what is brushed here is chosen on the map too.
import { made } from "./made.js";
import { brushing } from "./see_brush.js";
import { rank } from "./see_controls.js";
import { MOST_LINES, ParallelChart } from "./see_parallel_chart.js";

const SCALES = { z: "deviations from the mean", rank: "rank", raw: "leaning as it is" };

export class Parallel {
  // `choose(indices)` takes the indices of the words that lie in every range.
  constructor(app, choose) {
    this.app = app;
    this.choose = choose;
    this.canvas = made("canvas", { class: "see-parallel", role: "img", "aria-label": "Parallel coordinates" });
    this.chart = new ParallelChart(this.canvas);
    brushing(this.canvas, this.chart, () => { this.fields(); this.brushed(); });
    this.scale = made("select", { onchange: () => this.ask() }, ...Object.entries(SCALES).map(([value, text]) => made("option", { value }, text)));
    this.which = made("fieldset", { class: "see-which" });
    this.ranges = made("div", { class: "see-ranges" });
    this.note = made("p", { class: "note" });
    this.place = made("section", { class: "see-concepts", "aria-label": "Words over concepts" }, made("h3", {}, "The same words over several concepts"),
      made("label", {}, "Scale ", this.scale), this.which, this.canvas, this.note, this.ranges);
  }

  // Lines of a model that is no longer the chosen one are not shown, nor are those still to come.
  leave() {
    this.asking?.abort();
    this.question = this.answer = null;
    this.place.hidden = true;
  }

  offer(axes) {
    this.place.hidden = !axes.some((axis) => !axis.trouble);
    const wanted = axes.filter((axis) => axis.usual && !axis.trouble), spare = axes.filter((axis) => !axis.usual && !axis.trouble && axis.id.includes(":"));
    const shown = new Set(wanted.length > 1 ? wanted : [...wanted, ...spare.slice(0, 3)]);
    const box = (axis) => made("label", { title: axis.title }, made("input", { type: "checkbox", value: axis.id, checked: shown.has(axis), onchange: () => this.ask() }), ` ${axis.usual ? axis.about : `${axis.about}: ${axis.title}`}`);
    const can = axes.filter((axis) => !axis.trouble).sort((one, other) => rank(one) - rank(other)), more = can.filter((axis) => !shown.has(axis));
    this.which.replaceChildren(made("legend", {}, "Axes"), ...can.filter((axis) => shown.has(axis)).map(box), made("details", {}, made("summary", {}, `${more.length} more`), ...more.map(box)));
  }

  // Ask for the words of a map: the same question without its layout.
  async ask(question = this.question) {
    this.question = question;
    if (!question || this.place.hidden) return;
    const axes = [...this.which.querySelectorAll("input:checked")].map((one) => one.value).slice(0, 12);
    if (!axes.length) { this.note.textContent = "Choose an axis to see the words on it."; return; }
    const { model, first, words } = question;
    this.asking?.abort();
    this.asking = new AbortController();
    const answer = await this.app.post("concept-scores", { model, first, words, axes, scale: this.scale.value }, this.asking.signal);
    if (!answer) return;
    this.answer = answer;
    this.chart.show(answer);
    this.canvas.setAttribute("aria-label", `${answer.words.length} words over ${answer.axes.map((axis) => axis.about).join(", ")}; the ranges below choose among them.`);
    this.note.textContent = `A line is a word; its height is its ${answer.means}. Drag along an axis to choose the words there; a click takes the range away.${answer.words.length > MOST_LINES ? ` ${MOST_LINES.toLocaleString("en")} of ${answer.words.length.toLocaleString("en")} lines are drawn, evenly spread; ranges look at all.` : ""}`;
    this.fields();
  }

  show(chosen) { this.chart.chosen = chosen; this.chart.draw(); }

  brushed() { this.choose(this.chart.brushes.within(this.chart.columns)); }

  // The same ranges as numbers, for the keyboard and small screens.
  fields() {
    const { brushes } = this.chart;
    const field = (i, end, range) => made("input", {
      type: "number", step: "0.1", value: range ? range[end].toFixed(2) : "", placeholder: end ? "most" : "least", "aria-label": `${this.named(i)}: ${end ? "at most" : "at least"}`,
      onchange: (event) => this.typed(i, event.target.closest("span")),
    });
    this.ranges.replaceChildren(...this.answer.axes.map((_, i) => made("span", {}, `${this.named(i)} `, field(i, 0, brushes.ranges.get(i)), " to ", field(i, 1, brushes.ranges.get(i)))));
  }

  // What an axis is called: its category, or its lists where two have the same.
  named(i) {
    const { axes } = this.answer, { about, title } = axes[i];
    return axes.filter((axis) => axis.about === about).length > 1 ? title : about;
  }

  typed(axis, place) {
    const [low, high] = [...place.querySelectorAll("input")].map((one) => one.value), { range, brushes } = this.chart;
    if (low === "" && high === "") brushes.clear(axis);
    else brushes.set(axis, low === "" ? range[0] : Number(low), high === "" ? range[1] : Number(high));
    this.chart.draw();
    this.brushed();
  }
}
