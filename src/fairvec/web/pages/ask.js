// Ask: four lists of words; effect, interval and exact p as you type.
import { made } from "./made.js";
import { AnswerPlace } from "./ask_answer.js";
import { OtherLists, SameFigures } from "./ask_elsewhere.js";
import { WordList } from "./ask_list.js";
import { TestPicker } from "./ask_picker.js";
import { AskedState, ROLES } from "./ask_state.js";

const INVITATION = "Pick a published test, or write words into four lists: two of targets, two of attributes.";
const REST = 250; // milliseconds without a change, before a long count is begun

class AskView {
  constructor(place, app) {
    this.app = app;
    this.asked = new AskedState(app);
    this.answer = new AnswerPlace(app, { drop: (word) => this.drop(word) });
    this.lists = ROLES.map((role) => new WordList(role, this.asked, app, (role, word) => this.tried(role, word)));
    this.picker = new TestPicker(app, (test, roles) => this.asked.fill(test, roles));
    this.others = new OtherLists(app, this.asked);
    this.same = new SameFigures(app, this.asked);
    this.undo = made("button", { type: "button", disabled: true, onclick: () => { const what = this.asked.undo(); if (what) app.tell(`Undone: ${what}`); } }, "Undo");
    const clear = made("button", { type: "button", onclick: () => { this.asked.clear(); this.lists[0].field.input.focus(); } }, "New lists");
    this.heading = made("h2", { class: "question" });
    this.element = made("div", { class: "ask", onkeydown: (event) => this.key(event) },
      made("p", { class: "buttons" }, this.picker.button, clear, this.undo), this.picker.panel,
      this.heading, made("div", { class: "ask-lists" }, ...this.lists.map((list) => list.element)),
      this.answer.element, this.others.element, this.same.element, this.answer.bar);
    place.append(this.element);
    app.listeners.add((what) => this.heard(what));
  }

  async start() {
    if (this.asked.empty) {
      this.heard();
      const first = await this.picker.first();
      if (first && this.asked.empty && this.element.isConnected) this.asked.begin(first);
      return;
    }
    this.heard();
  }

  heard(what) {
    if (what === "lists") this.asked.keep();
    this.same.clear();
    this.seen = null;
    this.showLists();
    this.undo.disabled = !this.asked.lastStep;
    this.undo.title = this.asked.lastStep && `Undo: ${this.asked.lastStep}`;
    this.ask();
    this.others.show();
  }

  tried(role, word) {
    const before = this.asked.trial, trial = word && !this.asked.has(role, word) ? { role, word } : null;
    if (before?.word === trial?.word && before?.role === trial?.role) return;
    this.asked.trial = trial;
    this.ask();
  }

  drop(word) {
    if (this.asked.has(word.role, word.word)) this.asked.drop(word.role, word.word);
  }

  // The last question wins: an older one is given up, and its answer never drawn.
  async ask() {
    this.abort?.abort();
    const { signal } = (this.abort = new AbortController());
    if (this.asked.empty && !this.asked.trial) { this.answer.invite(INVITATION); return; }
    const trial = this.asked.trial, question = this.asked.question(trial);
    this.answer.waiting();
    const quick = await this.app.post("ask", { ...question, stage: "quick" }, signal);
    if (!quick || signal.aborted) return;
    this.draw(quick, trial);
    if (quick.stage !== "quick") return;
    await new Promise((done) => setTimeout(done, REST));
    if (signal.aborted) return;
    const whole = await this.app.post("ask", { ...question, stage: "full" }, signal);
    if (whole && !signal.aborted) this.draw(whole, trial);
  }

  draw(answer, trial) {
    if (!this.element.isConnected) return;
    if (!trial) { this.seen = answer; this.showLists(); }
    this.answer.show(answer, this.titles(answer), trial);
  }

  titles(answer) {
    const named = Object.fromEntries((answer.record ?? answer.quick).coverage.map((group) => [group.role, group.title]));
    return Object.fromEntries(ROLES.map((role) => [role, named[role] ?? role.toUpperCase()]));
  }

  showLists() {
    const coverage = (this.seen?.record ?? this.seen?.quick)?.coverage ?? [];
    for (const list of this.lists) list.show(coverage.find((group) => group.role === list.role), this.seen?.findings, this.seen?.told?.language);
    const titles = ROLES.map((role) => this.asked.title(role));
    this.heading.textContent = titles.every(Boolean) ? `Do ${titles[0]} lean more to ${titles[2]}, and ${titles[1]} more to ${titles[3]}?` : "Do two lists of words lean to different sides?";
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
