// One of the four lists: its title, its words as marks to click away, a field for more.
import { MOST_WORDS } from "./ask_state.js";
import { element } from "./dom.js";

const LIST_NAMES = { x: "First targets", y: "Second targets", a: "First attributes", b: "Second attributes" };
const MOST_NAMED = 6, LONG = 30;
const SHAPES = { x: element("i", { class: "dot-x" }), y: element("i", { class: "dot-y" }), a: "→", b: "←" };

export class WordList {
  constructor(role, state, app, preview) {
    Object.assign(this, { role, state, app, near: new Map() });
    this.title = element("input", { type: "text", class: "title", "aria-label": `Title of the ${LIST_NAMES[role].toLowerCase()}`, placeholder: LIST_NAMES[role], maxlength: 200, spellcheck: "false", onchange: () => state.rename(role, this.title.value) });
    this.count = element("small");
    this.words = element("ul", { class: "chips", "aria-label": `${LIST_NAMES[role]}: words` });
    this.about = element("p", { class: "about-list", role: "status" });
    this.full = element("p", { class: "about-list", role: "status" });
    this.field = new WordField(app, {
      label: `${LIST_NAMES[role]}: add a word`,
      take: (words) => this.take(words),
      back: () => { const last = state.words(role).at(-1); if (last) this.drop(last); },
      preview: (word) => preview(role, word),
    });
    this.element = element("section", { class: "ask-list", "aria-label": LIST_NAMES[role] }, element("header", {}, element("span", { class: "role", "aria-hidden": "true" }, SHAPES[role]), this.title, this.count), this.words, this.about, this.full);
    this.element.addEventListener("click", (event) => { if (event.target === this.words) this.field.input.focus(); });
  }

  take(words) {
    const { added, left } = this.state.add(this.role, words);
    // Beside the list: in the page's line of troubles the next answer would wipe it out.
    if (left.length) this.full.textContent = `A list holds ${MOST_WORDS} words here, and ${left.length} more were left out; put longer ones to 'fairvec audit'.`;
    else if (!added.length) this.app.announce(`${words[0]} is in the list already.`);
  }

  drop(word) {
    const place = this.state.words(this.role).indexOf(word), inside = this.words.contains(document.activeElement) && document.activeElement !== this.field.input;
    this.state.drop(this.role, word);
    const buttons = this.words.querySelectorAll("button.chip");
    if (inside) (buttons[Math.min(place, buttons.length - 1)] ?? this.field.input).focus();
  }

  // Draw the words as they stand, with what is known of them from the last answer.
  show(coverage, findings = [], language = "") {
    const missing = coverage?.missing ?? {}, doubted = new Set(findings.filter((one) => one.role === this.role || !one.role).flatMap((one) => one.words));
    const words = this.state.words(this.role);
    if (document.activeElement !== this.title) this.title.value = this.state.title(this.role);
    if (words.length < MOST_WORDS) this.full.textContent = "";
    this.count.textContent = words.length ? String(words.length) : "";
    this.words.lang = language;
    this.words.classList.toggle("long", words.length > LONG);
    const old = [...this.words.children].filter((one) => one !== this.field.element);
    const chips = words.map((word, place) => this.chip(old[place], word, missing[word], doubted.has(word), coverage?.how?.[word], coverage?.matched?.[word]));
    for (const extra of old.slice(words.length)) extra.remove();
    if (!this.field.element.isConnected) this.words.append(this.field.element);
    for (const chip of chips) if (!chip.isConnected) this.words.insertBefore(chip, this.field.element);
    this.showMissing(words.filter((word) => missing[word] !== undefined), missing);
  }

  // A mark is drawn anew only if it changed, so that the focus stays where it is.
  chip(old, word, missing, doubted, how, key) {
    const state = JSON.stringify([word, missing, doubted, how, key]);
    if (old?.state === state) return old;
    const known = missing ?? (how ? `found as ${key ?? word} (${how})` : "");
    const classes = ["chip", missing !== undefined && "missing", doubted && "doubted"].filter(Boolean).join(" ");
    const button = element("button", { type: "button", class: classes, title: known || null, "aria-label": `${word}${known ? `, ${known}` : ""}; remove`, onclick: () => this.drop(word) }, missing !== undefined ? element("span", { class: "sign", "aria-hidden": "true" }, "?") : "", word, element("span", { class: "cross", "aria-hidden": "true" }, "×"));
    const chip = element("li", {}, button);
    chip.state = state;
    if (old) { const hadFocus = old.contains(document.activeElement); old.replaceWith(chip); if (hadFocus) button.focus(); }
    return chip;
  }

  showMissing(unknown, missing) {
    const shown = unknown.slice(0, MOST_NAMED), parts = [];
    for (const reason of new Set(shown.map((word) => missing[word]))) {
      const alike = shown.filter((word) => missing[word] === reason);
      parts.push(`${parts.length ? "; " : ""}${reason}: `, ...alike.flatMap((word, place) => [place ? ", " : "", element("b", {}, word), ...this.suggestions(word)]));
    }
    if (parts.length) parts[0] = `${parts[0][0].toUpperCase()}${parts[0].slice(1)}`;
    this.about.replaceChildren(...parts, unknown.length > shown.length ? ` and ${unknown.length - shown.length} more` : "", parts.length ? "." : "");
    for (const word of shown) this.spell(word, unknown, missing);
  }

  suggestions(word) {
    const near = (this.near.get(`${this.app.model.name} ${word}`) ?? []).filter((each) => !this.state.has(this.role, each));
    return near.length ? [" (near: ", ...near.flatMap((each, place) => [place ? ", " : "", element("button", { type: "button", class: "plain-link", onclick: () => this.state.replace(this.role, word, each) }, each)]), ")"] : [];
  }

  async spell(word, unknown, missing) {
    const key = `${this.app.model.name} ${word}`;
    if (this.near.has(key)) return;
    this.near.set(key, []);
    const answer = await this.app.get("spellings", { model: this.app.model.name, word });
    if (!answer) { this.near.delete(key); return; }
    this.near.set(key, answer.near);
    if (answer.near.length && this.state.has(this.role, word)) this.showMissing(unknown, missing);
  }
}

// --- A field that proposes words of the model, by the pattern of an editable combobox with a list ---

const SEPARATORS = /[,;،，；\n\r\t]+/;
const QUOTES = /^["'“”„«»‘’[\]()]+|["'“”„«»‘’[\]()]+$/g;
let count = 0;

// Words of a pasted text: between commas or lines, or else between spaces; quotes are taken off.
function wordsOf(text) {
  const parts = SEPARATORS.test(text.trim()) ? text.split(SEPARATORS) : text.split(/\s+/);
  return parts.map((part) => part.trim().replace(QUOTES, "").trim()).filter(Boolean);
}

class WordField {
  // `take` gets words to add, `back` is called by Backspace in an empty field, `preview` gets a
  // word that is typed or highlighted, or null.
  constructor(app, { label, take, back, preview }) {
    Object.assign(this, { app, take, back, preview, found: [], at: -1, turn: 0 });
    const id = `words-${++count}`;
    this.input = element("input", { type: "text", role: "combobox", "aria-label": label, "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": id, autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "add a word", maxlength: 100000 });
    this.list = element("ul", { role: "listbox", id, "aria-label": "Words of the model", hidden: true });
    this.element = element("li", { class: "field" }, this.input, this.list);
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("paste", (event) => this.paste(event));
    this.input.addEventListener("blur", () => this.close());
    addEventListener("scroll", () => this.list.hidden || this.placeList(), { capture: true, passive: true });
    this.input.addEventListener("focus", () => this.input.value.trim() && this.typed());
  }

  get text() { return this.input.value.trim(); }

  typed() {
    if (SEPARATORS.test(this.input.value)) { this.enter(this.input.value); return; }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.complete(), 60);
  }

  async complete() {
    const mine = ++this.turn, beginning = this.text;
    const answer = beginning ? await this.app.get("words", { model: this.app.model.name, beginning: beginning.slice(0, 200), most: 8 }) : null;
    if (mine !== this.turn || document.activeElement !== this.input) return;
    this.propose(answer?.words ?? [], beginning);
    this.preview(answer?.known ? beginning : null);
  }

  propose(words, beginning) {
    this.found = words;
    this.at = -1;
    this.list.replaceChildren(...words.map((word, place) => element("li", { role: "option", id: `${this.list.id}-${place}`, "aria-selected": "false", onpointerdown: (event) => { event.preventDefault(); this.enter(word, true); } }, word)));
    this.list.hidden = !words.length;
    this.placeList();
    this.input.setAttribute("aria-expanded", String(words.length > 0));
    this.input.removeAttribute("aria-activedescendant");
    if (beginning && !words.length) this.app.announce("No word of the model begins so.");
  }

  // Below the field, wherever that is now: a list in a box that scrolls would be cut off by it.
  placeList() {
    const field = this.input.getBoundingClientRect(), room = innerHeight - field.bottom, above = room < 140 && field.top > room;
    Object.assign(this.list.style, { left: `${Math.max(0, Math.min(field.left, innerWidth - 200))}px`, top: above ? "auto" : `${field.bottom + 2}px`, bottom: above ? `${innerHeight - field.top + 2}px` : "auto" });
  }

  highlight(place) {
    const many = this.found.length;
    if (!many) return;
    this.at = (place + many + 1) % (many + 1) === many ? -1 : (place + many + 1) % (many + 1);
    [...this.list.children].forEach((option, index) => option.setAttribute("aria-selected", String(index === this.at)));
    const option = this.list.children[this.at];
    if (option) { this.input.setAttribute("aria-activedescendant", option.id); option.scrollIntoView({ block: "nearest" }); }
    else this.input.removeAttribute("aria-activedescendant");
    this.preview(this.found[this.at] ?? null);
  }

  key(event) {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") { event.preventDefault(); this.highlight(this.at + 1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); this.highlight(this.at < 0 ? this.found.length - 1 : this.at - 1); }
    else if (event.key === "Enter") { event.preventDefault(); if (this.at >= 0) this.enter(this.found[this.at], true); else if (this.text) this.enter(this.input.value); }
    else if (event.key === "Escape" && !this.list.hidden) { event.preventDefault(); this.close(); }
    else if (event.key === "Backspace" && !this.input.value) { event.preventDefault(); this.back(); }
  }

  paste(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const words = wordsOf(text);
    if (words.length < 2) return; // one word is typed on
    event.preventDefault();
    this.enter(`${this.input.value}${text}`);
  }

  enter(text, isOneWord = false) {
    const words = isOneWord || !SEPARATORS.test(text) && text === this.input.value ? [text.trim()] : wordsOf(text);
    clearTimeout(this.timer);
    this.turn += 1;
    this.input.value = "";
    this.close();
    if (words.length) this.take(words);
  }

  close() {
    clearTimeout(this.timer);
    this.turn += 1;
    this.propose([], "");
    this.preview(null);
  }
}

// --- The published tests, by suite, to be searched and taken: all four lists, or two of them ---

const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language" });
const foldCase = (text) => text.normalize("NFC").toLowerCase();

export class TestPicker {
  constructor(app, take) {
    Object.assign(this, { app, take, suites: null });
    this.search = element("input", { type: "search", "aria-label": "Search the published tests", placeholder: "Search: a title, a category, a word", autocomplete: "off", oninput: () => this.draw() });
    this.list = element("div", { class: "tests" });
    this.panel = element("div", { class: "panel", hidden: true, onkeydown: (event) => this.key(event) }, this.search, this.list);
    this.button = element("button", { type: "button", "aria-expanded": "false", onclick: () => (this.panel.hidden ? this.open() : this.close()) }, "Pick a published test");
  }

  async loadSuites() { return (this.suites ??= (await this.app.get("suites"))?.suites ?? null) ?? []; }

  // The first test of bias in a language of the model: what the page begins with.
  async first() {
    const own = (await this.loadSuites()).filter((suite) => this.app.model.languages.includes(suite.language));
    const tests = own.flatMap((suite) => suite.tests).filter((test) => test.kind === "bias" && !test.sensitive);
    return tests.find((test) => test.category === "gender") ?? tests[0] ?? null;
  }

  async open() {
    this.panel.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.search.focus();
    await this.loadSuites();
    this.draw();
  }

  close(back = true) {
    this.panel.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    if (back) this.button.focus();
  }

  draw() {
    const terms = foldCase(this.search.value).split(/\s+/).filter(Boolean);
    const own = this.app.model.languages;
    const fits = (suite, test) => { const text = foldCase([suite.id, suite.title, test.id, test.title, test.category, ...Object.values(test.titles), ...Object.values(test.lists).flat()].join(" ")); return terms.every((part) => text.includes(part)); };
    const ordered = [...(this.suites ?? [])].sort((one, other) => own.includes(other.language) - own.includes(one.language));
    const parts = ordered.flatMap((suite) => {
      const tests = suite.tests.filter((test) => fits(suite, test));
      return tests.length ? [this.suite(suite, tests)] : [];
    });
    this.list.replaceChildren(...(parts.length ? parts : [element("p", { class: "note" }, "No published test has that; write your own lists.")]));
  }

  suite(suite, tests) {
    return element("section", {}, element("h3", {}, suite.title, element("small", {}, `${LANGUAGES.of(suite.language)} · ${suite.source}`)), element("ul", {}, ...tests.map((test) => this.test(suite, test))));
  }

  test(suite, test) {
    const take = (roles) => { this.close(); this.take(test, roles); };
    const sizes = `${test.lists.x.length} + ${test.lists.y.length} words`;
    return element("li", {},
      element("button", { type: "button", class: "whole", onclick: () => take() }, element("span", { class: "name" }, test.title), element("small", {}, `${test.id} · ${test.category} · ${sizes}${test.sensitive ? " · sensitive words" : ""}`)),
      element("button", { type: "button", class: "plain-link", "aria-label": `Only the targets of ${test.title}`, onclick: () => take(["x", "y"]) }, "targets only"),
      element("button", { type: "button", class: "plain-link", "aria-label": `Only the attributes of ${test.title}`, onclick: () => take(["a", "b"]) }, "attributes only"));
  }

  key(event) {
    if (event.key === "Escape") { event.preventDefault(); this.close(); return; }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops = [this.search, ...this.list.querySelectorAll("button.whole")];
    const there = stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    if (stops[there]) { event.preventDefault(); stops[there].focus(); }
  }
}
