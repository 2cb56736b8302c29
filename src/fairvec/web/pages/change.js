// Change: a concept taken out by a method, and a strength that moves every figure at once.
import { ChangeForm } from "./change_form.js";
import { Around, Elsewhere, Forest, MovedWords, MovingMap } from "./change_views.js";
import { element, pluralize } from "./dom.js";

const PAUSE = 120; // milliseconds without a move, before verdicts are asked for
const SLOW = 400; // so long nothing is said of a fit

class ChangeView {
  constructor(place, app) {
    this.app = app;
    this.form = new ChangeForm(app, (what) => this.onChange(what));
    this.forest = new Forest((test) => { this.words.choose(test); this.map.ask(this.form.question(), test); });
    this.words = new MovedWords();
    this.map = new MovingMap(app);
    this.around = new Around(app, () => this.form.question());
    this.elsewhere = new Elsewhere(app, () => this.form.question());
    this.summary = element("p", { class: "verdict" });
    this.sober = element("p", { class: "sober", hidden: true });
    this.fit = element("div", { class: "change-fit" });
    this.body = element("div", { class: "change-body", hidden: true }, this.sober, this.summary, this.forest.element, this.words.element, this.map.element, this.around.element, this.fit, this.elsewhere.element);
    this.element = element("div", { class: "change" }, this.form.element, this.body);
    place.append(this.element);
    app.listeners.add((what) => { if (what === "model") { this.leave(); this.form.start(); } });
    this.form.start();
  }

  // Figures of one model never stand below the name of another, nor do answers that come late.
  leave() {
    this.full?.abort();
    clearTimeout(this.pause);
    this.pending = this.shownFor = null;
    this.body.hidden = true;
    this.body.removeAttribute("aria-busy");
    this.map.leave();
    this.around.leave();
  }

  // A step of the slider asks for the effects; another method, concept or test for everything.
  onChange(what) {
    if (what === "strength") this.words.moving = true;
    this.pending = this.form.question();
    if (!this.pending) { this.body.hidden = true; return; }
    this.run();
  }

  // One step is asked at a time; what came meanwhile is asked next, so that the last one wins.
  async run() {
    this.full?.abort();
    clearTimeout(this.pause);
    if (this.busy) return;
    this.busy = true;
    const slow = setTimeout(() => this.showFitting(), SLOW);
    let failed = false;
    while (this.pending) {
      const question = this.pending;
      this.pending = null;
      const mapped = this.isShown(question) && this.map.ask(question, this.words.test);
      const answer = await this.app.post("change", { ...question, stage: "quick" });
      await mapped;
      if (!this.element.isConnected) return;
      failed = !answer;
      if (answer && this.isShown(question)) this.showStep(answer);
    }
    clearTimeout(slow);
    clearInterval(this.ticking);
    this.form.say("");
    this.busy = false;
    // Figures of an earlier choice would be taken for those of this one.
    if (failed) { this.body.hidden = true; this.body.removeAttribute("aria-busy"); this.shownFor = null; return; }
    this.pause = setTimeout(() => this.judge(), PAUSE);
  }

  // Verdicts, intervals and paired tests, once the slider rests.
  async judge() {
    const question = this.form.question();
    if (!question) return;
    const { signal } = (this.full = new AbortController());
    const answer = await this.app.post("change", question, signal);
    if (signal.aborted || !this.element.isConnected) return;
    this.body.removeAttribute("aria-busy");
    if (!answer) { this.body.hidden = true; this.shownFor = null; return; }
    this.shownFor = JSON.stringify(question.tests ?? question.lists) + question.model;
    this.body.hidden = false;
    this.form.fitted(answer.fit);
    this.summary.textContent = answer.summary;
    const sensitive = answer.before.map((record) => record.test.sensitive).find(Boolean) ?? this.form.chosen.sensitive;
    this.sober.textContent = sensitive;
    this.sober.hidden = !sensitive;
    this.forest.show(answer);
    this.words.show(answer);
    this.showFit(answer.fit);
    this.elsewhere.show(answer);
    this.map.ask(question, this.words.test, signal);
    this.around.ask();
    this.app.announce(answer.summary);
  }

  isShown(question) { return this.shownFor === JSON.stringify(question.tests ?? question.lists) + question.model; }

  showStep(answer) {
    this.forest.move(answer);
    this.words.move(answer);
    this.elsewhere.wait();
  }

  // Until the verdicts are there the figures below are those of an earlier choice: dimmed, and said to be so.
  showFitting() {
    const began = performance.now(), earlier = this.body.hidden ? "" : " The figures below are still those from before.";
    this.body.setAttribute("aria-busy", "true");
    const say = () => this.form.say(`Fitting ${this.form.method.name} … ${Math.round((performance.now() - began + SLOW) / 1000)} s. It is done once; then the slider moves at once${this.form.needsRefit ? ", except that this method fits each strength anew" : ""}.${earlier}`);
    say();
    clearInterval(this.ticking);
    this.ticking = setInterval(() => (this.busy && this.element.isConnected ? say() : clearInterval(this.ticking)), 1000);
  }

  showFit(fit) {
    const list = (items) => element("ul", {}, ...items.map((item) => element("li", {}, item)));
    const promises = fit.promises.length ? [element("p", { class: "note" }, "What holds now:"), list(fit.promises)] : [element("p", { class: "note" }, "At this strength the method promises nothing; see what the tests say.")];
    const more = fit.words > fit.fitted_on.length ? ` and ${(fit.words - fit.fitted_on.length).toLocaleString("en")} more` : "";
    const open = this.fit.querySelector("details")?.open;
    this.fit.replaceChildren(element("details", { class: "fold", open: Boolean(open) }, element("summary", {}, element("h2", {}, "What the method did")),
      ...promises, element("p", { class: "note" }, `Fitted on ${pluralize(fit.words, "word")}: ${fit.fitted_on.join(", ")}${more}.`),
      ...(fit.held_out ? [element("p", { class: "note" }, fit.held_out)] : []), ...fit.remarks.map((remark) => element("p", { class: "note" }, remark))));
  }
}

export const view = { id: "change", title: "Change", mount(place, app) { new ChangeView(place, app); } };
