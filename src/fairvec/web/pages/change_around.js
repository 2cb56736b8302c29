// What else a change moves: the neighbours of a word, and the similarity of words to people.
import { made } from "./made.js";
import { number, signed } from "./ask_drawing.js";

let word = {}; // by language, so that it is still there when one comes back

const FIRST = { en: "nurse", hi: "नर्स", ru: "врач" };

export class Around {
  constructor(app, question) {
    Object.assign(this, { app, question });
    this.input = made("input", { type: "text", id: "change-word", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 200, list: "change-words" });
    this.proposed = made("datalist", { id: "change-words" });
    this.near = made("div", { class: "pair" });
    this.note = made("p", { class: "note" });
    this.use = made("div", {});
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("change", () => this.neighbours());
    this.element = made("div", { class: "change-around" },
      made("section", {}, made("h3", {}, made("label", { for: "change-word" }, "Nearest words of "), this.input), this.proposed, this.near, this.note),
      made("section", {}, made("h3", {}, "Similarity of words, as people see it"), this.use));
  }

  ask() { this.neighbours(); this.usefulness("quick"); }

  leave() {
    this.looking?.abort();
    this.rating?.abort();
    this.near.replaceChildren();
    this.use.replaceChildren();
    this.note.textContent = "";
  }

  get language() { return this.app.model.languages[0] ?? ""; }

  async typed() {
    word[this.language] = this.input.value.trim();
    const answer = this.input.value.trim() && await this.app.get("words", { model: this.app.model.name, beginning: this.input.value.trim(), most: 8 });
    this.proposed.replaceChildren(...(answer?.words ?? []).map((one) => made("option", { value: one })));
    if (answer?.known) this.neighbours();
  }

  async neighbours() {
    if (document.activeElement !== this.input) this.input.value = word[this.language] ?? FIRST[this.language] ?? "";
    const question = this.question(), wanted = this.input.value.trim();
    if (!question) return;
    if (!wanted) { this.near.replaceChildren(); this.note.textContent = "Write a word to see its neighbours before and after."; return; }
    this.looking?.abort();
    const { signal } = (this.looking = new AbortController());
    const { stage, ...asked } = question;
    this.note.textContent = this.app.model.words > 20000 ? "Looking …" : this.note.textContent;
    const answer = await this.app.post("change/neighbours", { ...asked, word: wanted, count: 10 }, signal);
    if (signal.aborted) return;
    // Neighbours of another word would be taken for those of this one.
    if (!answer) { this.near.replaceChildren(); this.note.textContent = `There are no neighbours of ${wanted} to show.`; return; }
    const [before, after] = [answer.before, answer.after].map((side) => new Set(side.map((one) => one.word)));
    const column = (title, side, others, sign, said) => made("div", {}, made("p", { class: "category" }, title), made("ol", { class: "near" }, ...side.map((one) => made("li", { class: others.has(one.word) ? null : "other" }, made("span", {}, one.word), others.has(one.word) ? "" : made("small", {}, ` ${sign} ${said}`), made("span", { class: "value" }, number(one.similarity, 3))))));
    this.near.replaceChildren(column("Before", answer.before, after, "−", "leaves"), column("After", answer.after, before, "+", "new"));
    const among = answer.among < answer.of ? `Among the first ${answer.among.toLocaleString("en")} of ${answer.of.toLocaleString("en")} words. ` : "";
    this.note.textContent = among + answer.remarks.join(" ");
  }

  async usefulness(stage) {
    const question = this.question();
    if (!question) return;
    this.rating?.abort();
    const { signal } = (this.rating = new AbortController());
    if (stage === "full") this.use.append(made("p", { class: "note", role: "status" }, "Testing each benchmark, pair by pair; this takes some seconds …"));
    const answer = await this.app.post("change/usefulness", { ...question, stage }, signal);
    if (!answer || signal.aborted) return;
    const figure = (value) => (value === null ? "none" : number(value, 3));
    const row = (one) => made("tr", {}, made("th", { scope: "row" }, one.title), made("td", { class: "value" }, figure(one.was)), made("td", { class: "value" }, figure(one.is)), made("td", { class: "value" }, one.was === null || one.is === null ? "" : signed(one.is - one.was, 3)), made("td", { title: one.sentence }, one.became ?? ""));
    const head = ["", "before", "after", "difference", stage === "full" ? "change" : ""].map((text) => made("th", { scope: "col" }, text));
    const table = made("table", { class: "plain" }, made("thead", {}, made("tr", {}, ...head)), made("tbody", {}, ...answer.rows.map(row)));
    const more = made("button", { type: "button", onclick: () => this.usefulness("full") }, "Test these changes, and longer benchmarks");
    this.use.replaceChildren(...(answer.rows.length ? [table, ...(stage === "quick" ? [made("p", {}, more)] : [])] : []), made("p", { class: "note" }, answer.remark));
  }
}
