// What is chosen for a change: concept, method, settings, tests and strength; saved between views.
import { ownLists } from "./ask_state.js";
import { element } from "./dom.js";

const saved = { strength: 1, method: null, holdout: false, settings: {}, concepts: {}, tests: {} };
let methods = null;

export class ChangeForm {
  constructor(app, onChange) {
    Object.assign(this, { app, onChange, concepts: [] });
    this.concept = element("select", { id: "change-concept", onchange: () => { saved.concepts[this.app.model.name] = this.concept.value; this.pickMethod(); this.pickTests(); this.onChange("concept"); } });
    this.methods = element("select", { id: "change-method", "aria-describedby": "change-meaning", onchange: () => { saved.method = this.methods.value; this.showMethod(); this.onChange("method"); } });
    this.meaning = element("p", { id: "change-meaning", class: "note" });
    this.settings = new MethodSettings(saved.settings, () => this.onChange("settings"));
    this.holdout = element("input", { type: "checkbox", onchange: () => { saved.holdout = this.holdout.checked; this.onChange("holdout"); } });
    this.slider = element("input", { type: "range", id: "change-strength", min: "0", max: "1", step: "0.01", "aria-describedby": "change-ends" });
    this.value = element("output", { for: "change-strength" });
    this.slider.addEventListener("input", () => { this.setStrength(this.slider.valueAsNumber); this.onChange("strength"); });
    this.tests = element("details", { class: "change-tests" });
    this.status = element("p", { class: "note change-status", role: "status" });
    const field = (label, ...parts) => element("label", { class: "change-field" }, element("span", {}, label), ...parts);
    this.element = element("form", { class: "change-form", onsubmit: (event) => event.preventDefault() },
      element("div", { class: "change-what" }, field("Take out", this.concept), field("by", this.methods)), this.meaning,
      element("div", { class: "change-slider" }, element("label", { for: "change-strength" }, "Strength"), this.slider, this.value, element("p", { id: "change-ends", class: "ends" }, element("span", {}, "0: as it is"), element("span", {}, "1: all of it"))),
      this.status, element("div", { class: "change-more" }, this.settings.element, this.tests, element("label", {}, this.holdout, " Fit without any tested word")));
  }

  async start() {
    const model = this.app.model.name;
    methods ??= (await this.app.get("methods"))?.methods ?? null;
    const found = await this.app.get("concepts", { model });
    if (!methods || !found || model !== this.app.model.name || !this.element.isConnected) return;
    this.concepts = found.concepts;
    this.of = model;
    this.methods.replaceChildren(...methods.map((method) => element("option", { value: method.name }, method.name)));
    this.concept.replaceChildren(...found.concepts.flatMap((concept) => concept.variants.map((variant, place) => element("option", { value: `${concept.id}:${variant}`, "data-concept": concept.id }, `${concept.title.toLowerCase()} (${concept.language}${place ? `, ${variant}` : ""})`))));
    if (saved.concepts[model]) this.concept.value = saved.concepts[model];
    this.holdout.checked = saved.holdout;
    this.setStrength(saved.strength);
    this.pickMethod();
    this.pickTests();
    this.say(found.concepts.length ? "" : found.remark || "No concept that comes with fairvec is in the language of this model; say --language, or use 'fairvec debias' with a concept of your own.");
    this.onChange("model");
  }

  get method() { return methods.find((method) => method.name === this.methods.value); }

  get chosen() { return this.concepts.find((concept) => concept.id === this.concept.selectedOptions[0]?.dataset.concept); }

  setStrength(strength) {
    saved.strength = strength;
    this.slider.value = String(strength);
    this.value.textContent = strength.toFixed(2);
    this.slider.setAttribute("aria-valuetext", `${strength.toFixed(2)} of 1`);
  }

  // The method that was chosen, or else the default for the concept.
  pickMethod() {
    const name = saved.method ?? this.chosen?.method;
    if (methods.some((method) => method.name === name)) this.methods.value = name;
    this.showMethod();
  }

  showMethod() {
    this.meaning.textContent = this.method.meaning;
    this.settings.show(this.method);
  }

  // The tests of the concept, those with long lists aside; and the lists of Ask, if there are four.
  pickTests() {
    const concept = this.chosen;
    if (!concept) { this.tests.replaceChildren(); return; }
    const chosen = (saved.tests[concept.id] ??= new Set(concept.tests.filter((test) => test.quick).map((test) => test.id)));
    const own = Object.values(this.app.lists).every((list) => list.length);
    const box = (id, label, note) => element("li", {}, element("label", {}, element("input", { type: "checkbox", value: id, checked: chosen.has(id), onchange: (event) => this.choose(chosen, id, event.target.checked) }), ` ${label} `, element("small", {}, note)));
    const summary = element("summary", {});
    const showSummary = () => { summary.textContent = chosen.has("own") ? "Judged by the lists of Ask" : `Judged by ${chosen.size} ${chosen.size === 1 ? "test" : "tests"}`; };
    this.showSummary = showSummary;
    showSummary();
    this.tests.replaceChildren(summary, element("ul", {}, ...concept.tests.map((test) => box(test.id, test.title, `${test.id}, ${test.words.join(" + ")} words${test.quick ? "" : ": takes longer"}`)),
      ...(own ? [box("own", "The lists of Ask", "alone, in place of the tests")] : [])),
      ...(concept.tests.length ? [] : [element("p", { class: "note" }, own ? "No published test of this concept fits the model: choose the lists of Ask." : "No published test of this concept fits the model: write four lists in Ask, and choose them here.")]),
      ...(concept.sensitive ? [element("p", { class: "note" }, concept.sensitive)] : []));
  }

  choose(chosen, id, on) {
    if (id === "own" && on) chosen.clear();
    else if (on) chosen.delete("own");
    if (on) chosen.add(id); else chosen.delete(id);
    for (const box of this.tests.querySelectorAll("input")) box.checked = chosen.has(box.value);
    this.showSummary();
    this.onChange("tests");
  }

  say(sentence) { this.status.textContent = sentence; }

  fitted(fit) { this.needsRefit = fit.again; }

  question() {
    const concept = this.chosen;
    // What is chosen here is of the model that it was offered for.
    if (!concept || !methods || this.of !== this.app.model.name) return null;
    const chosen = saved.tests[concept.id];
    const asked = chosen.has("own") ? ownLists(this.app) : { tests: concept.tests.map((test) => test.id).filter((id) => chosen.has(id)) };
    if (!chosen.has("own") && !asked.tests.length) { this.say("Choose at least one test to judge by."); return null; }
    this.say("");
    return { model: this.app.model.name, concept: this.concept.value, method: this.methods.value, settings: this.settings.question(), strength: saved.strength, holdout: saved.holdout, ...asked };
  }
}

// --- The settings of a method: each asked for by its kind, and sent only where it is not the usual one ---

class MethodSettings {
  constructor(saved, onChange) {
    Object.assign(this, { saved, onChange });
    this.element = element("details", { class: "change-settings" });
  }

  show(method) {
    this.method = method;
    this.values = this.saved[method.name] ??= {};
    this.element.hidden = !method.settings.length;
    this.summary = element("summary", {});
    this.element.replaceChildren(this.summary, element("div", { class: "change-fields" }, ...method.settings.map((setting) => element("label", { title: setting.help ?? "" }, element("span", {}, setting.name), this.field(setting)))));
    this.showSummary();
  }

  field(setting) {
    const value = this.values[setting.name] ?? setting.usual;
    if (setting.kind === "choice") {
      const select = element("select", { onchange: () => this.set(setting, select.value) }, ...setting.choices.map((choice) => element("option", { value: choice, selected: choice === value }, choice)));
      return select;
    }
    if (setting.kind === "truth") {
      const box = element("input", { type: "checkbox", checked: Boolean(value), onchange: () => this.set(setting, box.checked) });
      return box;
    }
    const text = value == null ? "" : Array.isArray(value) ? value.join(", ") : String(value);
    const number = setting.kind === "whole" || setting.kind === "number";
    const input = element("input", { type: "text", inputmode: number ? "decimal" : "text", value: text, onchange: () => this.set(setting, this.read(setting, input.value)) });
    return input;
  }

  // What is no number is sent as it was typed: the method says what it must be.
  read(setting, text) {
    const one = (part) => (part !== "" && Number.isFinite(Number(part)) ? Number(part) : part);
    if (text.trim() === "") return setting.usual;
    if (setting.kind === "list") return text.split(",").map((part) => one(part.trim())).filter((part) => part !== "");
    return setting.kind === "text" ? text : one(text.trim());
  }

  set(setting, value) {
    if (JSON.stringify(value) === JSON.stringify(setting.usual) || value == null) delete this.values[setting.name];
    else this.values[setting.name] = value;
    this.showSummary();
    this.onChange();
  }

  showSummary() {
    const changed = Object.entries(this.values).map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(", ") : value}`);
    this.summary.textContent = changed.length ? `Settings: ${changed.join("; ")}` : "Settings: the usual ones";
  }

  question() { return { ...this.values }; }
}
