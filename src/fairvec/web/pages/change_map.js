// The map of Change: words between the concept's ends and a test's targets, going where the strength takes them.
import { made } from "./made.js";
import { Picture } from "./see_canvas.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const STEP = 120; // milliseconds in which words go from one strength to the next

export class MovingMap {
  constructor(app) {
    this.app = app;
    this.canvas = made("canvas", { class: "see-map change-map", role: "img", "aria-label": "Map of words after the change" });
    this.picture = new Picture(this.canvas);
    this.note = made("p", { class: "note" });
    this.element = made("section", { class: "change-mapped", "aria-label": "Map", hidden: true }, made("h3", {}, "Where words lie"), this.canvas, this.note);
    this.watch();
  }

  // By day and by night the colours are those of the page.
  watch() {
    const night = matchMedia("(prefers-color-scheme: dark)"), dressed = () => {
      if (this.canvas.isConnected) { this.picture.dressed(); return; }
      seen.disconnect();
      night.removeEventListener("change", dressed);
    };
    const seen = new MutationObserver(dressed);
    seen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    night.addEventListener("change", dressed);
  }

  async ask(question, about, signal) {
    const { stage, ...asked } = question, mine = (this.asked = (this.asked ?? 0) + 1);
    const answer = await this.app.post("change/map", { ...asked, about: question.tests?.includes(about) ? about : "" }, signal);
    if (answer && mine === this.asked && this.element.isConnected && !signal?.aborted) this.show(answer, JSON.stringify([question.model, question.concept, about, question.lists]));
  }

  leave() { this.asked = (this.asked ?? 0) + 1; this.element.hidden = true; }

  show(answer, ground) {
    const [x, y] = answer.after;
    this.element.hidden = false;
    if (ground !== this.ground) this.begin(answer);
    this.ground = ground;
    this.canvas.setAttribute("aria-label", `Map of ${answer.words.length.toLocaleString("en")} words after the change; the tables below have those of the test`);
    this.go(x, y);
  }

  // The frame is that of the model as it is, so that what is taken out is seen to go.
  begin({ words, before, axes, reached }) {
    const [x, y] = before;
    this.picture.show({ words, x: [...x], y: [...y], layout: "axes", axes, leanings: x }, false);
    const places = new Map(words.map((word, index) => [word, index]));
    this.picture.chosen = new Set(Object.values(reached).map((key) => places.get(key)).filter((index) => index !== undefined));
    this.note.textContent = `Across: ${axes[0].away} to ${axes[0].towards}, by the direction before the change. Up: ${axes[1].away} to ${axes[1].towards}. Ringed: the words of the chosen test. Colour and shape are where a word leaned before.`;
  }

  go(x, y) {
    const { map } = this.picture, from = [map.x, map.y], began = performance.now();
    cancelAnimationFrame(this.frame);
    const draw = (now) => {
      const share = STILL.matches ? 1 : Math.min(1, (now - began) / STEP);
      const between = (one, other) => one.map((value, place) => value + share * (other[place] - value));
      this.picture.map = { ...map, x: between(from[0], x), y: between(from[1], y) };
      this.picture.draw();
      if (share < 1) this.frame = requestAnimationFrame(draw);
    };
    draw(began + (STILL.matches ? STEP : 0));
  }
}
