// One of the four lists: its title, its words as marks to click away, a field for more.
import { made } from "./made.js";
import { WordField } from "./ask_combobox.js";
import { MOST_WORDS } from "./ask_state.js";

const SAID = { x: "First targets", y: "Second targets", a: "First attributes", b: "Second attributes" };
const MOST_TOLD = 6, LONG = 30;
const MARK = { x: made("i", { class: "dot-x" }), y: made("i", { class: "dot-y" }), a: "→", b: "←" };

export class WordList {
  constructor(role, asked, app, tried) {
    Object.assign(this, { role, asked, app, near: new Map() });
    this.title = made("input", { type: "text", class: "title", "aria-label": `Title of the ${SAID[role].toLowerCase()}`, placeholder: SAID[role], maxlength: 200, spellcheck: "false", onchange: () => asked.rename(role, this.title.value) });
    this.count = made("small");
    this.words = made("ul", { class: "chips", "aria-label": `${SAID[role]}: words` });
    this.about = made("p", { class: "about-list", role: "status" });
    this.full = made("p", { class: "about-list", role: "status" });
    this.field = new WordField(app, {
      label: `${SAID[role]}: add a word`,
      take: (words) => this.take(words),
      back: () => { const last = asked.words(role).at(-1); if (last) this.drop(last); },
      tried: (word) => tried(role, word),
    });
    this.element = made("section", { class: "ask-list", "aria-label": SAID[role] }, made("header", {}, made("span", { class: "role", "aria-hidden": "true" }, MARK[role]), this.title, this.count), this.words, this.about, this.full);
    this.element.addEventListener("click", (event) => { if (event.target === this.words) this.field.input.focus(); });
  }

  take(words) {
    const { added, left } = this.asked.add(this.role, words);
    // Beside the list: in the page's line of troubles the next answer would wipe it out.
    if (left.length) this.full.textContent = `A list holds ${MOST_WORDS} words here, and ${left.length} more were left out; put longer ones to 'fairvec audit'.`;
    else if (!added.length) this.app.tell(`${words[0]} is in the list already.`);
  }

  drop(word) {
    const place = this.asked.words(this.role).indexOf(word), inside = this.words.contains(document.activeElement) && document.activeElement !== this.field.input;
    this.asked.drop(this.role, word);
    const buttons = this.words.querySelectorAll("button.chip");
    if (inside) (buttons[Math.min(place, buttons.length - 1)] ?? this.field.input).focus();
  }

  // Draw the words as they stand, with what is known of them from the last answer.
  show(coverage, findings = [], language = "") {
    const missing = coverage?.missing ?? {}, doubted = new Set(findings.filter((one) => one.role === this.role || !one.role).flatMap((one) => one.words));
    const words = this.asked.words(this.role);
    if (document.activeElement !== this.title) this.title.value = this.asked.title(this.role);
    if (words.length < MOST_WORDS) this.full.textContent = "";
    this.count.textContent = words.length ? String(words.length) : "";
    this.words.lang = language;
    this.words.classList.toggle("long", words.length > LONG);
    const kept = [...this.words.children].filter((one) => one !== this.field.element);
    const chips = words.map((word, place) => this.chip(kept[place], word, missing[word], doubted.has(word), coverage?.how?.[word], coverage?.matched?.[word]));
    for (const extra of kept.slice(words.length)) extra.remove();
    if (!this.field.element.isConnected) this.words.append(this.field.element);
    for (const chip of chips) if (!chip.isConnected) this.words.insertBefore(chip, this.field.element);
    this.tell(words.filter((word) => missing[word] !== undefined), missing);
  }

  // A mark is drawn anew only if it changed, so that the focus stays where it is.
  chip(old, word, missing, doubted, how, key) {
    const state = JSON.stringify([word, missing, doubted, how, key]);
    if (old?.state === state) return old;
    const known = missing ?? (how ? `found as ${key ?? word} (${how})` : "");
    const classes = ["chip", missing !== undefined && "missing", doubted && "doubted"].filter(Boolean).join(" ");
    const button = made("button", { type: "button", class: classes, title: known || null, "aria-label": `${word}${known ? `, ${known}` : ""}; remove`, onclick: () => this.drop(word) }, missing !== undefined ? made("span", { class: "sign", "aria-hidden": "true" }, "?") : "", word, made("span", { class: "cross", "aria-hidden": "true" }, "×"));
    const chip = made("li", {}, button);
    chip.state = state;
    if (old) { const had = old.contains(document.activeElement); old.replaceWith(chip); if (had) button.focus(); }
    return chip;
  }

  tell(unknown, missing) {
    const shown = unknown.slice(0, MOST_TOLD), parts = [];
    for (const reason of new Set(shown.map((word) => missing[word]))) {
      const alike = shown.filter((word) => missing[word] === reason);
      parts.push(`${parts.length ? "; " : ""}${reason}: `, ...alike.flatMap((word, place) => [place ? ", " : "", made("b", {}, word), ...this.offered(word)]));
    }
    if (parts.length) parts[0] = `${parts[0][0].toUpperCase()}${parts[0].slice(1)}`;
    this.about.replaceChildren(...parts, unknown.length > shown.length ? ` and ${unknown.length - shown.length} more` : "", parts.length ? "." : "");
    for (const word of shown) this.spell(word, unknown, missing);
  }

  offered(word) {
    const near = (this.near.get(`${this.app.model.name} ${word}`) ?? []).filter((each) => !this.asked.has(this.role, each));
    return near.length ? [" (near: ", ...near.flatMap((each, place) => [place ? ", " : "", made("button", { type: "button", class: "plain-link", onclick: () => this.asked.replace(this.role, word, each) }, each)]), ")"] : [];
  }

  async spell(word, unknown, missing) {
    const key = `${this.app.model.name} ${word}`;
    if (this.near.has(key)) return;
    this.near.set(key, []);
    const answer = await this.app.get("spellings", { model: this.app.model.name, word });
    if (!answer) { this.near.delete(key); return; }
    this.near.set(key, answer.near);
    if (answer.near.length && this.asked.has(this.role, word)) this.tell(unknown, missing);
  }
}
