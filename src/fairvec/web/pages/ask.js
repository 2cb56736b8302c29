// Ask: four lists of words; effect, interval and exact p as you type.
import { AnswerPlace, OtherLists, Snippets } from "./ask_answer.js";
import { TestPicker, WordList } from "./ask_lists.js";
import { ListState, ROLES } from "./ask_state.js";
import { element } from "./dom.js";

const INVITATION = "Pick a published test, or write words into four lists: two of targets, two of attributes.";
const PAUSE = 250; // milliseconds without a change, before a long count is begun

class AskView {
  constructor(place, app) {
    this.app = app;
    this.state = new ListState(app);
    this.answer = new AnswerPlace(app, { drop: (word) => this.drop(word) });
    this.lists = ROLES.map((role) => new WordList(role, this.state, app, (role, word) => this.preview(role, word)));
    this.picker = new TestPicker(app, (test, roles) => this.state.fill(test, roles));
    this.others = new OtherLists(app, this.state);
    this.snippets = new Snippets(app, this.state);
    this.undo = element("button", { type: "button", disabled: true, onclick: () => { const what = this.state.undo(); if (what) app.announce(`Undone: ${what}`); } }, "Undo");
    const clear = element("button", { type: "button", onclick: () => { this.state.clear(); this.lists[0].field.input.focus(); } }, "New lists");
    this.heading = element("h2", { class: "question" });
    this.element = element("div", { class: "ask", onkeydown: (event) => this.key(event) },
      element("p", { class: "buttons" }, this.picker.button, clear, this.undo), this.picker.panel,
      this.heading, element("div", { class: "ask-lists" }, ...this.lists.map((list) => list.element)),
      this.answer.element, this.others.element, this.snippets.element, this.answer.bar);
    place.append(this.element);
    app.listeners.add((what) => this.onChange(what));
  }

  async start() {
    if (this.state.empty) {
      this.onChange();
      const first = await this.picker.first();
      if (first && this.state.empty && this.element.isConnected) this.state.begin(first);
      return;
    }
    this.onChange();
  }

  onChange(what) {
    if (what === "lists") this.state.save();
    this.snippets.clear();
    this.latest = null;
    this.showLists();
    this.undo.disabled = !this.state.lastStep;
    this.undo.title = this.state.lastStep && `Undo: ${this.state.lastStep}`;
    this.ask();
    this.others.show();
  }

  preview(role, word) {
    const before = this.state.trial, trial = word && !this.state.has(role, word) ? { role, word } : null;
    if (before?.word === trial?.word && before?.role === trial?.role) return;
    this.state.trial = trial;
    this.ask();
  }

  drop(word) {
    if (this.state.has(word.role, word.word)) this.state.drop(word.role, word.word);
  }

  // The last question wins: an older one is given up, and its answer never drawn.
  async ask() {
    this.abort?.abort();
    const { signal } = (this.abort = new AbortController());
    if (this.state.empty && !this.state.trial) { this.answer.invite(INVITATION); return; }
    const trial = this.state.trial, question = this.state.question(trial);
    this.answer.waiting();
    const quick = await this.app.post("ask", { ...question, stage: "quick" }, signal);
    if (!quick || signal.aborted) return;
    this.draw(quick, trial);
    if (quick.stage !== "quick") return;
    await new Promise((done) => setTimeout(done, PAUSE));
    if (signal.aborted) return;
    const full = await this.app.post("ask", { ...question, stage: "full" }, signal);
    if (full && !signal.aborted) this.draw(full, trial);
  }

  draw(answer, trial) {
    if (!this.element.isConnected) return;
    if (!trial) { this.latest = answer; this.showLists(); }
    this.answer.show(answer, this.titles(answer), trial);
  }

  titles(answer) {
    const titles = Object.fromEntries((answer.record ?? answer.quick).coverage.map((group) => [group.role, group.title]));
    return Object.fromEntries(ROLES.map((role) => [role, titles[role] ?? role.toUpperCase()]));
  }

  showLists() {
    const coverage = (this.latest?.record ?? this.latest?.quick)?.coverage ?? [];
    for (const list of this.lists) list.show(coverage.find((group) => group.role === list.role), this.latest?.findings, this.latest?.readings?.language);
    const titles = ROLES.map((role) => this.state.title(role));
    this.heading.textContent = titles.every(Boolean) ? `Are ${titles[0]} associated with ${titles[2]} rather than ${titles[3]} more strongly than ${titles[1]} are?` : "Are two lists of words associated with different words?";
  }

  key(event) {
    const writing = event.target.matches?.("input") && event.target.value;
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.shiftKey && !writing) { event.preventDefault(); this.undo.click(); }
  }
}

export const view = {
  id: "ask",
  title: "Ask",
  mount(place, app) { new AskView(place, app).start(); },
};
