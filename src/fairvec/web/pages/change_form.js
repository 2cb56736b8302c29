// What is chosen for a change: concept, method, settings, tests and strength; kept between views.
import { made } from "./made.js";
import { ownLists } from "./ask_state.js";
import { MethodSettings } from "./change_settings.js";

const kept = { strength: 1, method: "linear-projection", holdout: false, settings: {}, concepts: {}, tests: {} };
let methods = null;

export class ChangeForm {
  constructor(app, heard) {
    Object.assign(this, { app, heard, concepts: [] });
    this.concept = made("select", { id: "change-concept", onchange: () => { kept.concepts[this.app.model.name] = this.concept.value; this.pickTests(); this.heard("concept"); } });
    this.methods = made("select", { id: "change-method", "aria-describedby": "change-meaning", onchange: () => { kept.method = this.methods.value; this.showMethod(); this.heard("method"); } });
    this.meaning = made("p", { id: "change-meaning", class: "note" });
    this.settings = new MethodSettings(kept.settings, () => this.heard("settings"));
    this.holdout = made("input", { type: "checkbox", onchange: () => { kept.holdout = this.holdout.checked; this.heard("holdout"); } });
    this.slider = made("input", { type: "range", id: "change-strength", min: "0", max: "1", step: "0.01", "aria-describedby": "change-ends" });
    this.value = made("output", { for: "change-strength" });
    this.slider.addEventListener("input", () => { this.setStrength(this.slider.valueAsNumber); this.heard("strength"); });
    this.tests = made("details", { class: "change-tests" });
    this.status = made("p", { class: "note change-status", role: "status" });
    const field = (label, ...parts) => made("label", { class: "change-field" }, made("span", {}, label), ...parts);
    this.element = made("form", { class: "change-form", onsubmit: (event) => event.preventDefault() },
      made("div", { class: "change-what" }, field("Take out", this.concept), field("by", this.methods)), this.meaning,
      made("div", { class: "change-slider" }, made("label", { for: "change-strength" }, "Strength"), this.slider, this.value, made("p", { id: "change-ends", class: "ends" }, made("span", {}, "0: as it is"), made("span", {}, "1: all of it"))),
      this.status, made("div", { class: "change-more" }, this.settings.element, this.tests, made("label", {}, this.holdout, " Fit without any tested word")));
  }

  async start() {
    const model = this.app.model.name;
    methods ??= (await this.app.get("methods"))?.methods ?? null;
    const found = await this.app.get("concepts", { model });
    if (!methods || !found || model !== this.app.model.name || !this.element.isConnected) return;
    this.concepts = found.concepts;
    this.of = model;
    this.methods.replaceChildren(...methods.map((method) => made("option", { value: method.name }, method.name)));
    if (methods.some((method) => method.name === kept.method)) this.methods.value = kept.method;
    this.concept.replaceChildren(...found.concepts.flatMap((concept) => concept.variants.map((variant, place) => made("option", { value: `${concept.id}:${variant}` }, `${concept.title.toLowerCase()} (${concept.language}${place ? `, ${variant}` : ""})`))));
    if (kept.concepts[model]) this.concept.value = kept.concepts[model];
    this.holdout.checked = kept.holdout;
    this.setStrength(kept.strength);
    this.showMethod();
    this.pickTests();
    this.say(found.concepts.length ? "" : found.remark || "No concept that comes with fairvec is in the language of this model; say --language, or use 'fairvec debias' with a concept of your own.");
    this.heard("model");
  }

  get method() { return methods.find((method) => method.name === this.methods.value); }

  get chosen() { return this.concepts.find((concept) => concept.id === this.concept.value.split(":")[0]); }

  setStrength(strength) {
    kept.strength = strength;
    this.slider.value = String(strength);
    this.value.textContent = strength.toFixed(2);
    this.slider.setAttribute("aria-valuetext", `${strength.toFixed(2)} of 1`);
  }

  showMethod() {
    this.meaning.textContent = this.method.meaning;
    this.settings.show(this.method);
  }

  // The tests of the concept, those with long lists aside; and the lists of Ask, if there are four.
  pickTests() {
    const concept = this.chosen;
    if (!concept) { this.tests.replaceChildren(); return; }
    const chosen = (kept.tests[concept.id] ??= new Set(concept.tests.filter((test) => test.quick).map((test) => test.id)));
    const own = Object.values(this.app.lists).every((list) => list.length);
    const box = (id, label, note) => made("li", {}, made("label", {}, made("input", { type: "checkbox", value: id, checked: chosen.has(id), onchange: (event) => this.choose(chosen, id, event.target.checked) }), ` ${label} `, made("small", {}, note)));
    const summary = made("summary", {});
    const tell = () => { summary.textContent = chosen.has("own") ? "Judged by the lists of Ask" : `Judged by ${chosen.size} ${chosen.size === 1 ? "test" : "tests"}`; };
    this.tellTests = tell;
    tell();
    this.tests.replaceChildren(summary, made("ul", {}, ...concept.tests.map((test) => box(test.id, test.title, `${test.id}, ${test.words.join(" + ")} words${test.quick ? "" : ": takes longer"}`)),
      ...(own ? [box("own", "The lists of Ask", "alone, in place of the tests")] : [])),
      ...(concept.tests.length ? [] : [made("p", { class: "note" }, own ? "No published test of this concept fits the model: choose the lists of Ask." : "No published test of this concept fits the model: write four lists in Ask, and choose them here.")]),
      ...(concept.sensitive ? [made("p", { class: "note" }, concept.sensitive)] : []));
  }

  choose(chosen, id, on) {
    if (id === "own" && on) chosen.clear();
    else if (on) chosen.delete("own");
    if (on) chosen.add(id); else chosen.delete(id);
    for (const box of this.tests.querySelectorAll("input")) box.checked = chosen.has(box.value);
    this.tellTests();
    this.heard("tests");
  }

  say(sentence) { this.status.textContent = sentence; }

  fitted(fit) { this.again = fit.again; }

  question() {
    const concept = this.chosen;
    // What is chosen here is of the model that it was offered for.
    if (!concept || !methods || this.of !== this.app.model.name) return null;
    const chosen = kept.tests[concept.id];
    const asked = chosen.has("own") ? ownLists(this.app) : { tests: concept.tests.map((test) => test.id).filter((id) => chosen.has(id)) };
    if (!chosen.has("own") && !asked.tests.length) { this.say("Choose at least one test to judge by."); return null; }
    this.say("");
    return { model: this.app.model.name, concept: this.concept.value, method: this.methods.value, settings: this.settings.values(), strength: kept.strength, holdout: kept.holdout, ...asked };
  }
}
