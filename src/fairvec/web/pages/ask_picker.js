// The published tests, by suite, to be searched and taken: all four lists, or two of them.
import { made } from "./made.js";

const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language" });
const folded = (text) => text.normalize("NFC").toLowerCase();

export class TestPicker {
  constructor(app, take) {
    Object.assign(this, { app, take, suites: null });
    this.search = made("input", { type: "search", "aria-label": "Search the published tests", placeholder: "Search: a title, a category, a word", autocomplete: "off", oninput: () => this.draw() });
    this.list = made("div", { class: "tests" });
    this.panel = made("div", { class: "panel", hidden: true, onkeydown: (event) => this.key(event) }, this.search, this.list);
    this.button = made("button", { type: "button", "aria-expanded": "false", onclick: () => (this.panel.hidden ? this.open() : this.close()) }, "Pick a published test");
  }

  async known() { return (this.suites ??= (await this.app.get("suites"))?.suites ?? null) ?? []; }

  // The first test of bias in a language of the model: what the page begins with.
  async first() {
    const own = (await this.known()).filter((suite) => this.app.model.languages.includes(suite.language));
    const tests = own.flatMap((suite) => suite.tests).filter((test) => test.kind === "bias" && !test.sensitive);
    return tests.find((test) => test.category === "gender") ?? tests[0] ?? null;
  }

  async open() {
    this.panel.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.search.focus();
    await this.known();
    this.draw();
  }

  close(back = true) {
    this.panel.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    if (back) this.button.focus();
  }

  draw() {
    const wanted = folded(this.search.value).split(/\s+/).filter(Boolean);
    const own = this.app.model.languages;
    const fits = (suite, test) => { const text = folded([suite.id, suite.title, test.id, test.title, test.category, ...Object.values(test.titles), ...Object.values(test.lists).flat()].join(" ")); return wanted.every((part) => text.includes(part)); };
    const ordered = [...(this.suites ?? [])].sort((one, other) => own.includes(other.language) - own.includes(one.language));
    const parts = ordered.flatMap((suite) => {
      const tests = suite.tests.filter((test) => fits(suite, test));
      return tests.length ? [this.suite(suite, tests)] : [];
    });
    this.list.replaceChildren(...(parts.length ? parts : [made("p", { class: "note" }, "No published test has that; write your own lists.")]));
  }

  suite(suite, tests) {
    return made("section", {}, made("h3", {}, suite.title, made("small", {}, `${LANGUAGES.of(suite.language)} · ${suite.source}`)), made("ul", {}, ...tests.map((test) => this.test(suite, test))));
  }

  test(suite, test) {
    const take = (roles) => { this.close(); this.take(test, roles); };
    const sizes = `${test.lists.x.length} + ${test.lists.y.length} words`;
    return made("li", {},
      made("button", { type: "button", class: "whole", onclick: () => take() }, made("span", { class: "name" }, test.title), made("small", {}, `${test.id} · ${test.category} · ${sizes}${test.sensitive ? " · sensitive words" : ""}`)),
      made("button", { type: "button", class: "plain-link", "aria-label": `Only the targets of ${test.title}`, onclick: () => take(["x", "y"]) }, "targets only"),
      made("button", { type: "button", class: "plain-link", "aria-label": `Only the attributes of ${test.title}`, onclick: () => take(["a", "b"]) }, "attributes only"));
  }

  key(event) {
    if (event.key === "Escape") { event.preventDefault(); this.close(); return; }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops = [this.search, ...this.list.querySelectorAll("button.whole")];
    const there = stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    if (stops[there]) { event.preventDefault(); stops[there].focus(); }
  }
}
