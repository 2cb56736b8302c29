// The settings of a method: each asked for by its kind, and sent only where it is not the usual one.
import { made } from "./made.js";

export class MethodSettings {
  constructor(kept, heard) {
    Object.assign(this, { kept, heard });
    this.element = made("details", { class: "change-settings" });
  }

  show(method) {
    this.method = method;
    this.said = this.kept[method.name] ??= {};
    this.element.hidden = !method.settings.length;
    this.summary = made("summary", {});
    this.element.replaceChildren(this.summary, made("div", { class: "change-fields" }, ...method.settings.map((setting) => made("label", {}, made("span", {}, setting.name), this.field(setting)))));
    this.tell();
  }

  field(setting) {
    const value = this.said[setting.name] ?? setting.usual;
    if (setting.kind === "choice") {
      const select = made("select", { onchange: () => this.set(setting, select.value) }, ...setting.choices.map((choice) => made("option", { value: choice, selected: choice === value }, choice)));
      return select;
    }
    if (setting.kind === "truth") {
      const box = made("input", { type: "checkbox", checked: Boolean(value), onchange: () => this.set(setting, box.checked) });
      return box;
    }
    const text = value == null ? "" : Array.isArray(value) ? value.join(", ") : String(value);
    const number = setting.kind === "whole" || setting.kind === "number";
    const input = made("input", { type: "text", inputmode: number ? "decimal" : "text", value: text, onchange: () => this.set(setting, this.read(setting, input.value)) });
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
    if (JSON.stringify(value) === JSON.stringify(setting.usual) || value == null) delete this.said[setting.name];
    else this.said[setting.name] = value;
    this.tell();
    this.heard();
  }

  tell() {
    const changed = Object.entries(this.said).map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(", ") : value}`);
    this.summary.textContent = changed.length ? `Settings: ${changed.join("; ")}` : "Settings: the usual ones";
  }

  values() { return { ...this.said }; }
}
