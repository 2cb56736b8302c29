// Change: a concept taken out by a method, and a strength that moves every figure at once.
import { counted, made } from "./made.js";
import { Around } from "./change_around.js";
import { ChangeForm } from "./change_form.js";
import { Forest } from "./change_forest.js";
import { Elsewhere } from "./change_elsewhere.js";
import { MovingMap } from "./change_map.js";
import { MovedWords } from "./change_words.js";

const REST = 120; // milliseconds without a move, before verdicts are asked for
const SLOW = 400; // so long nothing is said of a fit

class ChangeView {
  constructor(place, app) {
    this.app = app;
    this.form = new ChangeForm(app, (what) => this.heard(what));
    this.forest = new Forest((test) => { this.words.choose(test); this.map.ask(this.form.question(), test); });
    this.words = new MovedWords();
    this.map = new MovingMap(app);
    this.around = new Around(app, () => this.form.question());
    this.elsewhere = new Elsewhere(app, () => this.form.question());
    this.said = made("p", { class: "verdict" });
    this.sober = made("p", { class: "sober", hidden: true });
    this.fit = made("div", { class: "change-fit" });
    this.body = made("div", { class: "change-body", hidden: true }, this.sober, this.said, this.forest.element, this.words.element, this.map.element, this.around.element, this.fit, this.elsewhere.element);
    this.element = made("div", { class: "change" }, this.form.element, this.body);
    place.append(this.element);
    app.listeners.add((what) => { if (what === "model") { this.leave(); this.form.start(); } });
    this.form.start();
  }

  // Figures of one model never stand below the name of another, nor do answers that come late.
  leave() {
    this.full?.abort();
    clearTimeout(this.rest);
    this.wanted = this.drawn = null;
    this.body.hidden = true;
    this.body.removeAttribute("aria-busy");
    this.map.leave();
    this.around.leave();
  }

  // A step of the slider asks for the effects; another method, concept or test for everything.
  heard(what) {
    if (what === "strength") this.words.moving = true;
    this.wanted = this.form.question();
    if (!this.wanted) { this.body.hidden = true; return; }
    this.run();
  }

  // One step is asked at a time; what came meanwhile is asked next, so that the last one wins.
  async run() {
    this.full?.abort();
    clearTimeout(this.rest);
    if (this.busy) return;
    this.busy = true;
    const slow = setTimeout(() => this.fitting(), SLOW);
    let failed = false;
    while (this.wanted) {
      const question = this.wanted;
      this.wanted = null;
      const mapped = this.known(question) && this.map.ask(question, this.words.test);
      const answer = await this.app.post("change", { ...question, stage: "quick" });
      await mapped;
      if (!this.element.isConnected) return;
      failed = !answer;
      if (answer && this.known(question)) this.moved(answer);
    }
    clearTimeout(slow);
    clearInterval(this.ticking);
    this.form.say("");
    this.busy = false;
    // Figures of an earlier choice would be taken for those of this one.
    if (failed) { this.body.hidden = true; this.body.removeAttribute("aria-busy"); this.drawn = null; return; }
    this.rest = setTimeout(() => this.judge(), REST);
  }

  // Verdicts, intervals and paired tests, once the slider rests.
  async judge() {
    const question = this.form.question();
    if (!question) return;
    const { signal } = (this.full = new AbortController());
    const answer = await this.app.post("change", question, signal);
    if (signal.aborted || !this.element.isConnected) return;
    this.body.removeAttribute("aria-busy");
    if (!answer) { this.body.hidden = true; this.drawn = null; return; }
    this.drawn = JSON.stringify(question.tests ?? question.lists) + question.model;
    this.body.hidden = false;
    this.form.fitted(answer.fit);
    this.said.textContent = answer.summary;
    const sensitive = answer.before.map((record) => record.test.sensitive).find(Boolean) ?? this.form.chosen.sensitive;
    this.sober.textContent = sensitive;
    this.sober.hidden = !sensitive;
    this.forest.show(answer);
    this.words.show(answer);
    this.tellFit(answer.fit);
    this.elsewhere.show(answer);
    this.map.ask(question, this.words.test, signal);
    this.around.ask();
    this.app.tell(answer.summary);
  }

  known(question) { return this.drawn === JSON.stringify(question.tests ?? question.lists) + question.model; }

  moved(answer) {
    this.forest.move(answer);
    this.words.move(answer);
    this.elsewhere.wait();
  }

  // Until the verdicts are there the figures below are those of an earlier choice: dimmed, and said to be so.
  fitting() {
    const began = performance.now(), earlier = this.body.hidden ? "" : " The figures below are still those from before.";
    this.body.setAttribute("aria-busy", "true");
    const say = () => this.form.say(`Fitting ${this.form.method.name} … ${Math.round((performance.now() - began + SLOW) / 1000)} s. It is done once; then the slider moves at once${this.form.again ? ", except that this method fits each strength anew" : ""}.${earlier}`);
    say();
    clearInterval(this.ticking);
    this.ticking = setInterval(() => (this.busy && this.element.isConnected ? say() : clearInterval(this.ticking)), 1000);
  }

  tellFit(fit) {
    const list = (items) => made("ul", {}, ...items.map((item) => made("li", {}, item)));
    const promises = fit.promises.length ? [made("p", { class: "note" }, "What holds now:"), list(fit.promises)] : [made("p", { class: "note" }, "At this strength the method promises nothing; see what the tests say.")];
    const more = fit.words > fit.fitted_on.length ? ` and ${(fit.words - fit.fitted_on.length).toLocaleString("en")} more` : "";
    const open = this.fit.querySelector("details")?.open;
    this.fit.replaceChildren(made("details", { class: "fold", open: Boolean(open) }, made("summary", {}, made("h2", {}, "What the method did")),
      ...promises, made("p", { class: "note" }, `Fitted on ${counted(fit.words, "word")}: ${fit.fitted_on.join(", ")}${more}.`),
      ...(fit.held_out ? [made("p", { class: "note" }, fit.held_out)] : []), ...fit.remarks.map((remark) => made("p", { class: "note" }, remark))));
  }
}

export const view = { id: "change", title: "Change", mount(place, app) { new ChangeView(place, app); } };
