// The same change by the shell or Python, and as a file where the server may write one.
import { made } from "./made.js";

export class Elsewhere {
  constructor(app, question) {
    Object.assign(this, { app, question });
    this.command = made("pre", { tabindex: "0", "aria-label": "Command line" });
    this.python = made("pre", { tabindex: "0", "aria-label": "Python" });
    this.said = made("p", { class: "note", role: "status" });
    this.file = made("input", { type: "text", id: "change-file", value: "debiased.fairvec", maxlength: 100, spellcheck: "false", autocomplete: "off" });
    this.button = made("button", { type: "button", onclick: () => this.write() }, "Write it");
    this.writing = made("p", { class: "change-write", hidden: true }, made("label", { for: "change-file" }, "Write as "), this.file, " ", this.button);
    const copy = (name, place) => made("button", { type: "button", onclick: () => this.copy(place.textContent, name) }, `Copy the ${name}`);
    this.element = made("section", { class: "change-elsewhere written", "aria-label": "Write the model" }, made("h3", {}, "Write the model"),
      made("p", { class: "note own-file", hidden: true }, "In Ask, save the lists as a suite and call the file own.toml: the command reads it."),
      this.command, made("p", { class: "buttons" }, copy("command line", this.command), " ", copy("Python", this.python)), made("details", {}, made("summary", {}, "Python"), this.python), this.writing, this.said);
  }

  show(answer) {
    this.command.textContent = answer.command;
    this.python.textContent = answer.python;
    this.writing.hidden = !answer.may_write;
    this.element.querySelector(".own-file").hidden = !answer.command.includes("own.toml");
    for (const button of this.element.querySelectorAll("button")) button.disabled = false;
  }

  // While the slider moves the command is of an earlier strength.
  wait() { for (const button of this.element.querySelectorAll("button")) button.disabled = true; }

  async copy(text, name) {
    try { await navigator.clipboard.writeText(text); this.say(`The ${name} is copied.`); } catch { this.say(`The browser does not let the ${name} be copied; select it above.`); }
  }

  async write() {
    const question = this.question();
    if (!question) return;
    this.button.disabled = true;
    this.say("Writing …");
    const { stage, ...asked } = question;
    const answer = await this.app.post("write", { ...asked, file: this.file.value.trim() });
    this.button.disabled = false;
    this.say(answer ? `Written: ${answer.folder}/${answer.model}, and ${answer.run} with the transform, the results and a report.` : "Nothing was written.");
  }

  say(sentence) { this.said.textContent = sentence; this.app.tell(sentence); }
}
