// Compare: two models beside each other, asked the same words, or the same concepts in two languages.
import { inThePage, made } from "./made.js";
import { ownLists } from "./ask_state.js";
import { CLAIMS } from "./ask_answer.js";
import { axis, axisOf, effectRow, numbersOf, drawn, percent, signed, zeroOf } from "./ask_drawing.js";

const kept = { other: null, test: null };
const HEIGHT = 18;

class CompareView {
  constructor(place, app) {
    this.app = app;
    this.other = made("select", { id: "compare-other", onchange: () => { kept.other = this.other.value; this.tests(); } });
    this.test = made("select", { id: "compare-test", onchange: () => { kept.test = this.test.value; this.ask(); } });
    this.answer = made("div", { class: "compare-answer" });
    this.pair = made("div", { class: "change-what" }, made("label", { class: "change-field" }, made("span", {}, "Beside"), this.other), made("label", { class: "change-field" }, made("span", {}, "asked"), this.test));
    this.element = made("div", { class: "compare" }, this.pair, this.answer);
    place.append(this.element);
    app.listeners.add((what) => { if (what === "model") this.start(); });
    this.start();
  }

  async start() {
    const others = this.app.models.filter((model) => model.name !== this.app.model.name);
    this.pair.hidden = !others.length; // two empty lists would ask for a choice that there is not
    if (!others.length) { this.answer.replaceChildren(made("p", {}, "One model is open. Open a second one to compare them: ", made("code", {}, `fairvec explore ${this.app.model.name} OTHER-MODEL`))); return; }
    this.other.replaceChildren(...others.map((model) => made("option", { value: model.name }, model.name)));
    if (others.some((model) => model.name === kept.other)) this.other.value = kept.other;
    await this.tests();
  }

  // Tests that both can be asked, and the lists of Ask if there are four.
  async tests() {
    this.abort?.abort(); // what is under way was asked of another pair
    const model = this.app.model.name, other = this.other.value;
    const told = await this.app.get("compare/tests", { model, other });
    if (!told || !this.element.isConnected || model !== this.app.model.name || other !== this.other.value) return;
    const own = Object.values(this.app.lists).every((list) => list.length);
    const suites = new Map();
    for (const test of told.tests) { const suite = test.id.split("/")[0]; suites.set(suite, [...(suites.get(suite) ?? []), test]); }
    this.test.replaceChildren(...[...suites].map(([suite, tests]) => made("optgroup", { label: suite }, ...tests.map((test) => made("option", { value: test.id }, `${test.title} (${test.language})`)))), ...(own ? [made("option", { value: "own" }, "the lists of Ask")] : []));
    if ([...this.test.options].some((option) => option.value === kept.test)) this.test.value = kept.test;
    if (!this.test.options.length) { this.answer.replaceChildren(made("p", {}, "No published test fits both models: write four lists in Ask, of words that both know.")); return; }
    this.ask();
  }

  async ask() {
    this.abort?.abort();
    const { signal } = (this.abort = new AbortController());
    const asked = this.test.value === "own" ? ownLists(this.app) : { tests: [this.test.value] };
    const models = [this.app.model.name, this.other.value];
    const answer = await this.app.post("compare", { models, ...asked }, signal);
    if (signal.aborted || !this.element.isConnected) return;
    if (!answer) { this.answer.replaceChildren(); return; }
    this.show(answer.tests[0], models);
  }

  show(test, names) {
    const effects = test.records.map((record) => (record.status === "measured" ? record.effect : null));
    const reach = Math.max(2, ...effects.map((value) => Math.ceil(Math.abs(value ?? 0))));
    const scale = axis(-reach, reach, 1);
    const row = (record, place) => made("div", { class: "row", "data-model": names[place], "data-exact": effects[place] ?? "" }, made("span", { class: "label" }, names[place], made("small", {}, record.test.id)),
      effects[place] === null ? made("small", {}, "no effect") : effectRow(scale, { effect: effects[place], interval: record.interval, claimed: CLAIMS.includes(record.verdict?.kind), title: test.told[place].sentence }), made("span", { class: "value" }, test.told[place].is));
    const said = test.told.map((told, place) => made("p", {}, made("b", {}, `${names[place]}: `), inThePage(told.sentence)));
    const change = test.row ? `From ${names[0]} to ${names[1]} ${test.row.sentence.split(" · ").slice(1).join(": ")}.` : inThePage(test.why_not);
    this.answer.replaceChildren(made("p", { class: "note" }, test.how), made("div", { class: "forest" }, made("div", { class: "row head" }, made("span"), numbersOf(scale), made("span", { class: "value" }, "d")), ...test.records.map(row)), ...said, made("p", { class: "note compare-change" }, change), this.words(test.records, names));
    this.app.tell(test.told.map((told, place) => `${names[place]}: ${told.is}.`).join(" "));
  }

  // Both models' words on one axis each: the spaces differ, and so do the figures that words have in them.
  words(records, names) {
    return made("div", { class: "pair" }, ...records.map((record, place) => {
      const words = record.words ?? [], scale = axisOf([0, ...words.map((word) => word.score)]);
      const line = (word) => made("div", { class: "row", title: [word.word, word.transliteration, word.gloss].filter(Boolean).join(" · ") }, made("span", { class: "label" }, made("i", { class: `dot-${word.role}` }), word.word, word.gloss ? made("small", {}, ` ${word.gloss}`) : ""),
        drawn("svg", { class: "track", width: "100%", height: HEIGHT, role: "img", "aria-label": `${word.word}: ${signed(word.score, 3)}` }, zeroOf(scale, HEIGHT), drawn("circle", { class: `is ${word.role}`, cx: percent(scale.at(word.score)), cy: HEIGHT / 2, r: 4.5 })), made("span", { class: "value" }, signed(word.score, 3)));
      const lists = Object.fromEntries((record.coverage ?? []).map((group) => [group.role, group.title]));
      const missing = (record.coverage ?? []).flatMap((group) => Object.keys(group.missing ?? {}));
      return made("section", { class: "compare-words", "aria-label": `Words of ${names[place]}` }, made("h3", {}, names[place]), made("p", { class: "note" }, made("i", { class: "dot-x" }), `${lists.x ?? ""} `, made("i", { class: "dot-y" }), lists.y ?? ""),
        ...[...words].sort((one, other) => other.score - one.score).map(line), made("p", { class: "ends" }, made("span", {}, `← ${lists.b ?? ""}`), made("span", {}, `${lists.a ?? ""} →`)), ...(missing.length ? [made("p", { class: "note" }, `Not known: ${missing.join(", ")}.`)] : []));
    }));
  }
}

export const view = { id: "compare", title: "Compare", mount(place, app) { new CompareView(place, app); } };
