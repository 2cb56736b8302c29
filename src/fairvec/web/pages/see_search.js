// A box that finds a word of the model, with proposals from its vocabulary.
import { made } from "./made.js";

let boxes = 0;

// `found(word)` is called with what was typed, on Enter or when a proposal is taken.
export function searchBox(app, found) {
  const id = `see-words-${++boxes}`, proposals = made("datalist", { id });
  const input = made("input", { type: "search", list: id, autocomplete: "off", spellcheck: "false", placeholder: "a word", "aria-label": "Find a word on the map" });
  let last = 0;
  const propose = async () => {
    const turn = ++last;
    const answer = await app.get("words", { model: app.model.name, beginning: input.value });
    // The latest question wins, whichever answer comes first.
    if (answer && turn === last) proposals.replaceChildren(...answer.words.map((word) => made("option", { value: word })));
  };
  input.addEventListener("input", (event) => {
    const taken = !event.inputType || event.inputType === "insertReplacementText";
    if (taken && input.value) found(input.value.trim());
    else propose();
  });
  input.addEventListener("keydown", (event) => { if (event.key === "Enter" && input.value.trim()) { event.preventDefault(); found(input.value.trim()); } });
  return made("label", { class: "see-search" }, "Find ", input, proposals);
}
