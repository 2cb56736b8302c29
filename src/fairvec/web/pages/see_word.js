// The word in hand: where it leans, and which words are nearest to it in the whole model.
import { made } from "./made.js";
import { distance } from "./see_disc.js";

const figure = (value) => value.toFixed(3).replace("-", "−");
const WAIT = 60;

export class WordInHand {
  constructor(app, does) {
    this.app = app;
    this.does = does;
    this.place = made("section", { class: "see-word-in-hand", "aria-label": "The word in hand" });
    this.asking = null;
    this.none();
  }

  none() {
    this.place.replaceChildren(made("p", { class: "note" }, "Point at a word, or go through them with the arrow keys; here you see where it leans and its nearest words."));
  }

  // Say where a word lies at once, and its neighbours as soon as they are known; `near` gets their words.
  show(map, index, near, aloud = false) {
    this.asking?.abort();
    clearTimeout(this.waiting);
    if (index < 0) { this.none(); return; }
    const word = map.words[index], list = made("ol", { class: "see-near" });
    this.figures = made("dl");
    this.place.replaceChildren(made("div", { class: "see-head" }, made("h3", {}, word), made("button", { type: "button", onclick: () => this.does.toggle() }, "Choose")), this.figures, list);
    this.again(map, index);
    if (aloud) this.app.tell(`${word}: ${this.said(map, index).map((pair) => pair.join(" ")).join("; ")}.`);
    // A pointer that passes over words asks for none of them.
    this.waiting = setTimeout(async () => {
      this.asking = new AbortController();
      const answer = await this.app.post("neighbours", { model: this.app.model.name, word, count: 10 }, this.asking.signal);
      if (!answer || !list.isConnected) return;
      list.replaceChildren(...answer.near.map((other, i) => made("li", {}, made("button", { type: "button", class: "see-word", onclick: () => this.does.find(other) }, other), ` ${figure(answer.similarities[i])}`)));
      list.before(made("p", { class: "note" }, `Nearest by ${answer.similarity.replace("-", " ")}:`));
      near(answer.near);
    }, WAIT);
  }

  // Say where the same word lies on another map.
  again(map, index) {
    this.figures.replaceChildren(...this.said(map, index).flatMap(([name, value]) => [made("dt", {}, name), made("dd", {}, value)]));
  }

  said(map, index) {
    const lines = map.layout === "axes" ? map.axes.map((axis, i) => [axis.title, figure([map.x, map.y][i][index])]) : [];
    const known = lines.some(([title]) => title === map.shade?.title);
    if (map.leanings && !known) lines.push([map.shade.title, figure(map.leanings[index])]);
    if (map.layout === "disc") lines.push(["distance from the origin", figure(distance([0, 0], [map.x[index], map.y[index]], map.curvature))]);
    if (map.in_plane) lines.push(["of its direction in the plane", `${Math.round(100 * map.in_plane[index])} %`]);
    if (map.layout === "components") lines.push(["place", `${figure(map.x[index])}, ${figure(map.y[index])}`]);
    return lines;
  }
}
