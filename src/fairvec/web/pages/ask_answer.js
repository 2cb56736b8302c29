// The answer: a sentence, the effect with its interval, p and power, each word, and the linter.
import { inThePage, made } from "./made.js";
import { axis, drawn, effectRow, number, numbersOf, percent, signed } from "./ask_drawing.js";
import { WordStrip } from "./ask_strip.js";

export const CLAIMS = ["biased", "associated"];

export class AnswerPlace {
  constructor(app, { drop }) {
    this.app = app;
    this.sentence = made("p", { class: "verdict said" });
    this.sober = made("p", { class: "sober", hidden: true });
    this.figures = made("div", { class: "ask-figures" });
    this.strip = new WordStrip({ drop, look: (word) => this.look(word) });
    this.looked = made("p", { class: "looked note" });
    this.influence = made("p", { class: "note" });
    this.findings = made("ul", { class: "ask-findings" });
    this.table = made("details", { class: "words-table", ontoggle: () => this.fillTable() }, made("summary"));
    this.bar = made("p", { class: "ask-bar", "aria-hidden": "true" });
    this.element = made("section", { class: "ask-answer", "aria-label": "The answer" }, this.sentence, this.sober, this.figures, this.strip.element, this.looked, this.influence, this.findings, this.table);
  }

  waiting(is = true) { this.element.classList.toggle("waiting", is); }

  invite(sentence) {
    this.show({ stage: "unasked", reason: sentence, quick: { effect: null, words: [], coverage: [] }, told: {}, findings: [] }, {}, null);
  }

  show(answer, titles, trial) {
    this.waiting(false);
    const { record, told } = answer, seen = record ?? answer.quick;
    const measured = seen.effect !== null && seen.effect !== undefined;
    const effect = measured ? seen.effect : null, kind = record?.verdict?.kind ?? "";
    Object.assign(this, { seen, told, effect, measured });
    const first = measured ? (record ? told.sentence : "Counting the regroupings of so many words…") : inThePage(told.sentence || answer.reason);
    const mark = made("span", { class: `mark ${kind || (record ? "skipped" : "no-verdict")} ${effect > 0 ? "positive" : "negative"} ${record && record.test.kind !== "bias" ? "harmless" : ""}`, "aria-hidden": "true" });
    this.sentence.replaceChildren(...(measured ? [mark] : []), made("span", {}, trial ? made("em", {}, `With ${trial.word}: `) : "", first));
    this.sober.hidden = !told.sensitive;
    this.sober.textContent = told.sensitive ?? "";
    this.draw(record, told);
    this.strip.element.lang = told.language ?? "";
    this.strip.show(measured ? seen.words : [], titles, effect);
    // A word that is looked at stays so when the rest of its answer comes.
    this.look(measured && this.at ? seen.words.find((word) => word.word === this.at.word && word.role === this.at.role) : null);
    this.influence.textContent = record && measured ? `${told.influence} p is of these lists alone: it does not know how many others you tried.`.trim() : "";
    this.findings.replaceChildren(...answer.findings.slice(0, 8).map((one) => made("li", {}, one.message)), ...(answer.findings.length > 8 ? [made("li", {}, `and ${answer.findings.length - 8} more remarks.`)] : []));
    this.bar.textContent = measured ? `d ${signed(effect)}${told.p ? ` · p ${told.p}` : ""}` : "";
    this.table.hidden = !measured;
    this.table.firstChild.textContent = measured ? `All ${seen.words.length} words as a table` : "";
    this.fillTable();
    this.app.tell(measured ? `d ${signed(effect)}${told.p ? `, p ${told.p}. ${told.sentence}` : ""}` : first);
  }

  draw(record, told) {
    if (!this.measured) { this.figures.replaceChildren(); return; }
    const reach = Math.max(2, Math.ceil(Math.abs(this.effect)));
    this.scale = axis(-reach, reach, 1);
    const claimed = CLAIMS.includes(record?.verdict?.kind), interval = record?.interval;
    this.track = effectRow(this.scale, { effect: this.effect, interval, claimed, title: `d ${signed(this.effect)}${told.interval ? `, ${told.level} interval ${told.interval}` : ""}` });
    const figure = (name, value, ...about) => made("div", { class: "figure" }, made("span", { class: "name" }, name), made("span", { class: "value", "data-figure": name }, value), ...about.filter(Boolean).map((one) => made("small", {}, one)));
    const power = record && (told.detectable ? [`|d| ≥ ${told.detectable}`, "is what so many words show with 80 % power"] : ["none", "so few words show no effect with 80 % power"]);
    this.figures.replaceChildren(
      made("div", { class: `figure effect ${this.effect > 0 ? "positive" : "negative"}` },
        made("span", { class: "name" }, "d"), made("span", { class: "value", "data-figure": "d", "data-exact": this.effect }, signed(this.effect)),
        made("small", {}, record ? [told.size, told.interval ? `${told.level} interval ${told.interval}` : "no interval"].filter(Boolean).join("; ") : "its interval follows"),
        made("div", { class: "scale" }, this.track, numbersOf(this.scale))),
      figure("p", record ? told.p : "…", record ? told.how_p : "p follows", record && `never below ${told.smallest_p} with these sizes`),
      figure("power", ...(power || ["…"])));
  }

  // Tell of one word under the strip, and mark on the scale what d becomes without it.
  look(word) {
    this.at = word ?? null;
    this.ghost?.remove();
    this.looked.textContent = word ? `${this.strip.about(word)} · click to drop it` : this.measured ? "Point at a word to see what d is without it; click to drop it." : "";
    if (!word || word.without == null || !this.track) return;
    this.ghost = drawn("circle", { class: "ghost", cx: percent(this.scale.at(word.without)), cy: 15, r: 4 });
    this.track.append(this.ghost);
  }

  fillTable() {
    if (!this.table.open || !this.measured) { this.table.querySelector("table")?.remove(); return; }
    const rows = [...this.seen.words].sort((one, other) => other.score - one.score).map((word) => made("tr", {},
      made("th", { scope: "row" }, word.word, " ", made("small", {}, [word.transliteration, word.gloss && `“${word.gloss}”`].filter(Boolean).join(" "))),
      made("td", {}, word.role.toUpperCase()), made("td", {}, signed(word.score, 3)), made("td", {}, word.without == null ? "" : number(word.without))));
    const table = made("table", { class: "plain" }, made("thead", {}, made("tr", {}, ...["Word", "List", "Leans", "d without it"].map((name) => made("th", { scope: "col" }, name)))), made("tbody", {}, ...rows));
    this.table.querySelector("table")?.remove();
    this.table.append(table);
  }
}
