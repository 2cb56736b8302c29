// The same question with other published lists, and the same figures in a file, a shell or Python.
import { made } from "./made.js";
import { axis, effectRow, numbersOf, signed } from "./ask_drawing.js";

export class OtherLists {
  constructor(app, asked) {
    Object.assign(this, { app, asked });
    this.list = made("div", { class: "looks" });
    this.element = made("details", { class: "fold", ontoggle: () => this.show() }, made("summary", {}, made("h2", {}, "The same with another published list")), this.list);
  }

  async show() {
    this.abort?.abort();
    if (!this.element.open) return;
    if (!Object.keys(this.asked.sources).length) { this.say("Lists of your own stand for no published concept; take a published pair of lists, and others for the same idea are tried in its place."); return; }
    const { signal } = (this.abort = new AbortController());
    const { stage, ...question } = this.asked.question();
    const answer = await this.app.post("swaps", question, signal);
    if (signal.aborted) return;
    if (!answer) { this.list.replaceChildren(); return; }
    if (!answer.swaps.length) { this.say("No other published lists stand for the same concepts."); return; }
    const reach = Math.max(2, ...answer.swaps.map((swap) => Math.ceil(Math.abs(swap.effect ?? 0))));
    const scale = axis(-reach, reach, 1);
    this.list.replaceChildren(made("div", { class: "row head" }, made("span"), numbersOf(scale), made("span", { class: "value" }, "d")), ...answer.swaps.map((swap) => this.row(swap, scale)));
  }

  row(swap, scale) {
    const titles = swap.roles.map((role) => swap.titles[role]).join(", ");
    const use = made("button", { type: "button", class: "plain-link", "aria-label": `Use ${titles} of ${swap.source}`, onclick: () => this.asked.fill(swap, swap.roles) }, titles);
    const drawing = swap.effect === null ? made("small", {}, swap.told) : effectRow(scale, { effect: swap.effect, claimed: swap.p < 0.05, height: 26, title: swap.told });
    return made("div", { class: "row" }, made("span", { class: "label" }, use, made("small", {}, swap.effect === null ? swap.source : `${swap.source} · p ${swap.told.split("p ")[1]}`)), drawing, made("span", { class: "value" }, swap.effect === null ? "" : signed(swap.effect)));
  }

  say(sentence) { this.list.replaceChildren(made("p", { class: "note" }, sentence)); }
}

export class SameFigures {
  constructor(app, asked) {
    Object.assign(this, { app, asked });
    this.shown = made("div", { class: "written" });
    const button = (name, what) => made("button", { type: "button", onclick: () => this.give(what) }, name);
    this.element = made("section", { class: "elsewhere", "aria-label": "The same figures elsewhere" },
      made("p", { class: "buttons" }, button("Save as a suite (TOML)", "toml"), button("Copy the command line", "command"), button("Copy the Python", "python")), this.shown);
  }

  async give(what) {
    const { stage, ...question } = this.asked.question(), mine = (this.turn = {});
    const texts = await this.app.post("written", question);
    if (!texts || mine !== this.turn) return; // other lists or another model by now
    const said = what === "toml" ? this.saved(texts) : await this.copied(texts[what], what);
    this.shown.replaceChildren(made("p", { class: "note", role: "status" }, said), made("pre", { tabindex: "0" }, texts[what]));
    this.app.tell(said);
  }

  saved(texts) {
    const address = URL.createObjectURL(new Blob([texts.toml], { type: "application/toml" }));
    made("a", { href: address, download: texts.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    return `Saved as ${texts.name}.`;
  }

  async copied(text, what) {
    const needs = what === "command" ? "; it reads the suite that is saved here, from the folder it lies in" : "";
    try { await navigator.clipboard.writeText(text); return `Copied${needs}.`; } catch { return `The browser does not let this page copy; take it from here${needs}.`; }
  }

  clear() { this.turn = null; this.shown.replaceChildren(); }
}
