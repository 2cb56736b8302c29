// Compare: two models beside each other, asked the same words, or the same concepts in two languages.
import { ownLists } from "./ask_state.js";
import { element, svg } from "./dom.js";
import { axisFor, axisNumbers, cssPercent, effectAxis, effectRow, formatSigned, zeroLine } from "./draw.js";

const saved = { other: null, test: null };
const HEIGHT = 18;

class CompareView {
  constructor(place, app) {
    this.app = app;
    this.other = element("select", { id: "compare-other", onchange: () => { saved.other = this.other.value; this.tests(); } });
    this.test = element("select", { id: "compare-test", onchange: () => { saved.test = this.test.value; this.ask(); } });
    this.answer = element("div", { class: "compare-answer" });
    this.pair = element("div", { class: "change-what" }, element("label", { class: "change-field" }, element("span", {}, "Compare with"), this.other), element("label", { class: "change-field" }, element("span", {}, "by the test"), this.test));
    this.element = element("div", { class: "compare" }, this.pair, this.answer);
    place.append(this.element);
    app.listeners.add((what) => { if (what === "model") this.start(); });
    this.start();
  }

  async start() {
    const others = this.app.models.filter((model) => model.name !== this.app.model.name);
    this.pair.hidden = !others.length; // two empty lists would ask for a choice that there is not
    if (!others.length) { this.answer.replaceChildren(element("p", {}, "One model is open. Open a second one to compare them: ", element("code", {}, `fairvec explore ${this.app.model.name} OTHER-MODEL`))); return; }
    this.other.replaceChildren(...others.map((model) => element("option", { value: model.name }, model.name)));
    if (others.some((model) => model.name === saved.other)) this.other.value = saved.other;
    await this.tests();
  }

  // Tests that both can be asked, and the lists of Ask if there are four.
  async tests() {
    this.abort?.abort(); // what is under way was asked of another pair
    const model = this.app.model.name, other = this.other.value;
    const answer = await this.app.get("compare/tests", { model, other });
    if (!answer || !this.element.isConnected || model !== this.app.model.name || other !== this.other.value) return;
    const own = Object.values(this.app.lists).every((list) => list.length);
    const suites = new Map();
    for (const test of answer.tests) suites.set(test.suite, [...(suites.get(test.suite) ?? []), test]);
    this.test.replaceChildren(...[...suites].map(([suite, tests]) => element("optgroup", { label: suite }, ...tests.map((test) => element("option", { value: test.id }, `${test.title} (${test.language})`)))), ...(own ? [element("option", { value: "own" }, "the lists of Ask")] : []));
    if ([...this.test.options].some((option) => option.value === saved.test)) this.test.value = saved.test;
    if (!this.test.options.length) { this.answer.replaceChildren(element("p", {}, "No published test fits both models: write four lists in Ask, of words that both know.")); return; }
    this.ask();
  }

  async ask() {
    this.abort?.abort();
    const { signal } = (this.abort = new AbortController());
    const question = this.test.value === "own" ? ownLists(this.app) : { tests: [this.test.value] };
    const models = [this.app.model.name, this.other.value];
    const answer = await this.app.post("compare", { models, ...question }, signal);
    if (signal.aborted || !this.element.isConnected) return;
    if (!answer) { this.answer.replaceChildren(); return; }
    this.show(answer.tests[0], models);
  }

  show(test, names) {
    const effects = test.records.map((record) => (record.status === "measured" ? record.effect : null));
    const scale = effectAxis(effects);
    const row = (record, place) => element("div", { class: "row", "data-model": names[place], "data-exact": effects[place] ?? "" }, element("span", { class: "label" }, names[place], element("small", {}, record.test.id)),
      effects[place] === null ? element("small", {}, "no effect") : effectRow(scale, { effect: effects[place], interval: record.interval, filled: test.readings[place].evident, title: test.readings[place].sentence }), element("span", { class: "value" }, test.readings[place].is));
    const sentences = test.readings.map((reading, place) => element("p", {}, element("b", {}, `${names[place]}: `), reading.sentence));
    const change = test.row ? `From ${names[0]} to ${names[1]} ${test.row.figures}: ${test.row.details}.` : test.why_not;
    this.answer.replaceChildren(element("p", { class: "note" }, test.how), element("div", { class: "forest" }, element("div", { class: "row head" }, element("span"), axisNumbers(scale), element("span", { class: "value" }, "d")), ...test.records.map(row)), ...sentences, element("p", { class: "note compare-change" }, change), this.words(test.records, names));
    this.app.announce(test.readings.map((reading, place) => `${names[place]}: ${reading.is}.`).join(" "));
  }

  // Both models' words on one axis each: the spaces differ, and so do the figures that words have in them.
  words(records, names) {
    return element("div", { class: "pair" }, ...records.map((record, place) => {
      const words = record.words ?? [], scale = axisFor([0, ...words.map((word) => word.score)]);
      const line = (word) => element("div", { class: "row", title: [word.word, word.transliteration, word.gloss].filter(Boolean).join(" · ") }, element("span", { class: "label" }, element("i", { class: `dot-${word.role}` }), word.word, word.gloss ? element("small", {}, ` ${word.gloss}`) : ""),
        svg("svg", { class: "track", width: "100%", height: HEIGHT, role: "img", "aria-label": `${word.word}: ${formatSigned(word.score, 3)}` }, zeroLine(scale, HEIGHT), svg("circle", { class: `is ${word.role}`, cx: cssPercent(scale.at(word.score)), cy: HEIGHT / 2, r: 4.5 })), element("span", { class: "value" }, formatSigned(word.score, 3)));
      const lists = Object.fromEntries((record.coverage ?? []).map((group) => [group.role, group.title]));
      const missing = (record.coverage ?? []).flatMap((group) => Object.keys(group.missing ?? {}));
      return element("section", { class: "compare-words", "aria-label": `Words of ${names[place]}` }, element("h3", {}, names[place]), element("p", { class: "note" }, element("i", { class: "dot-x" }), `${lists.x ?? ""} `, element("i", { class: "dot-y" }), lists.y ?? ""),
        ...[...words].sort((one, other) => other.score - one.score).map(line), element("p", { class: "ends" }, element("span", {}, `← ${lists.b ?? ""}`), element("span", {}, `${lists.a ?? ""} →`)), ...(missing.length ? [element("p", { class: "note" }, `Not known: ${missing.join(", ")}.`)] : []));
    }));
  }
}

export const view = { id: "compare", title: "Compare", mount(place, app) { new CompareView(place, app); } };
