// A field that proposes words of the model, by the pattern of an editable combobox with a list.
import { made } from "./made.js";

const SEPARATORS = /[,;،，；\n\r\t]+/;
const QUOTES = /^["'“”„«»‘’[\]()]+|["'“”„«»‘’[\]()]+$/g;
let count = 0;

// Words of a pasted text: between commas or lines, or else between spaces; quotes are taken off.
export function wordsOf(text) {
  const parts = SEPARATORS.test(text.trim()) ? text.split(SEPARATORS) : text.split(/\s+/);
  return parts.map((part) => part.trim().replace(QUOTES, "").trim()).filter(Boolean);
}

export class WordField {
  // `take` gets words to add, `back` is called by Backspace in an empty field, `tried` hears of a
  // word that is typed or looked at: null when there is none.
  constructor(app, { label, take, back, tried }) {
    Object.assign(this, { app, take, back, tried, found: [], at: -1, asked: 0 });
    const id = `words-${++count}`;
    this.input = made("input", { type: "text", role: "combobox", "aria-label": label, "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": id, autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "add a word", maxlength: 100000 });
    this.list = made("ul", { role: "listbox", id, "aria-label": "Words of the model", hidden: true });
    this.element = made("li", { class: "field" }, this.input, this.list);
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("paste", (event) => this.pasted(event));
    this.input.addEventListener("blur", () => this.close());
    addEventListener("scroll", () => this.list.hidden || this.settle(), { capture: true, passive: true });
    this.input.addEventListener("focus", () => this.input.value.trim() && this.typed());
  }

  get text() { return this.input.value.trim(); }

  typed() {
    if (SEPARATORS.test(this.input.value)) { this.enter(this.input.value); return; }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.complete(), 60);
  }

  async complete() {
    const mine = ++this.asked, beginning = this.text;
    const answer = beginning ? await this.app.get("words", { model: this.app.model.name, beginning: beginning.slice(0, 200), most: 8 }) : null;
    if (mine !== this.asked || document.activeElement !== this.input) return;
    this.propose(answer?.words ?? [], beginning);
    this.tried(answer?.known ? beginning : null);
  }

  propose(words, beginning) {
    this.found = words;
    this.at = -1;
    this.list.replaceChildren(...words.map((word, place) => made("li", { role: "option", id: `${this.list.id}-${place}`, "aria-selected": "false", onpointerdown: (event) => { event.preventDefault(); this.enter(word, true); } }, word)));
    this.list.hidden = !words.length;
    this.settle();
    this.input.setAttribute("aria-expanded", String(words.length > 0));
    this.input.removeAttribute("aria-activedescendant");
    if (beginning && !words.length) this.app.tell("No word of the model begins so.");
  }

  // Below the field, wherever that is now: a list in a box that scrolls would be cut off by it.
  settle() {
    const field = this.input.getBoundingClientRect(), room = innerHeight - field.bottom, above = room < 140 && field.top > room;
    Object.assign(this.list.style, { left: `${Math.max(0, Math.min(field.left, innerWidth - 200))}px`, top: above ? "auto" : `${field.bottom + 2}px`, bottom: above ? `${innerHeight - field.top + 2}px` : "auto" });
  }

  look(place) {
    const many = this.found.length;
    if (!many) return;
    this.at = (place + many + 1) % (many + 1) === many ? -1 : (place + many + 1) % (many + 1);
    [...this.list.children].forEach((option, index) => option.setAttribute("aria-selected", String(index === this.at)));
    const option = this.list.children[this.at];
    if (option) { this.input.setAttribute("aria-activedescendant", option.id); option.scrollIntoView({ block: "nearest" }); }
    else this.input.removeAttribute("aria-activedescendant");
    this.tried(this.found[this.at] ?? null);
  }

  key(event) {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") { event.preventDefault(); this.look(this.at + 1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); this.look(this.at < 0 ? this.found.length - 1 : this.at - 1); }
    else if (event.key === "Enter") { event.preventDefault(); if (this.at >= 0) this.enter(this.found[this.at], true); else if (this.text) this.enter(this.input.value); }
    else if (event.key === "Escape" && !this.list.hidden) { event.preventDefault(); this.close(); }
    else if (event.key === "Backspace" && !this.input.value) { event.preventDefault(); this.back(); }
  }

  pasted(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const words = wordsOf(text);
    if (words.length < 2) return; // one word is typed on
    event.preventDefault();
    this.enter(`${this.input.value}${text}`);
  }

  enter(text, whole = false) {
    const words = whole || !SEPARATORS.test(text) && text === this.input.value ? [text.trim()] : wordsOf(text);
    clearTimeout(this.timer);
    this.asked += 1;
    this.input.value = "";
    this.close();
    if (words.length) this.take(words);
  }

  close() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.propose([], "");
    this.tried(null);
  }
}
