// What is shown: the layout, the axes, the colour and how many words.
import { made } from "./made.js";

const LAYOUTS = { axes: "two axes", components: "principal components", disc: "Poincaré disc", "disc-axes": "Poincaré disc on two axes" };
const COUNTS = [500, 1000, 3000, 10000, 20000];
const OWN = { ab: ["a", "b"], xy: ["x", "y"] };

// Gender first, as most lists are about it; then axes between two lists, whose ends have names.
export const rank = (axis) => (axis.about === "gender" ? 0 : axis.id.includes(":") ? 1 : 2) + (axis.usual ? 0 : 3);

export class Controls {
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    const select = (options = []) => made("select", { onchange: () => { this.fits(); changed(); } }, ...options);
    this.layout = select();
    [this.across, this.up, this.shade] = [select(), select(), select()];
    this.first = select(COUNTS.map((count) => made("option", { value: count }, count.toLocaleString("en"))));
    this.first.value = "3000";
    this.ball = made("input", { type: "number", min: "1", value: "1", onchange: () => changed() });
    const label = (text, field) => made("label", {}, `${text} `, field);
    this.labels = { across: label("Across", this.across), up: label("Up", this.up), ball: label("Ball", this.ball) };
    this.place = made("div", { class: "see-controls", role: "group", "aria-label": "What the map shows" },
      label("Layout", this.layout), this.labels.across, this.labels.up, this.labels.ball, label("Colour", this.shade), label("Words", this.first));
  }

  // Take the axes that the model has, and choose usual ones.
  offer(axes) {
    this.axes = axes.filter((axis) => !axis.trouble);
    const curved = this.app.model.geometry.startsWith("poincare");
    const usual = this.axes.filter((axis) => axis.usual).sort((one, other) => rank(one) - rank(other));
    // A language with one category has the lists of its tests for the other axis.
    const first = usual[0] ?? this.axes[0], second = usual[1] ?? this.axes.find((axis) => axis !== first && axis.id.includes(":")) ?? this.axes.find((axis) => axis !== first);
    const layouts = Object.keys(LAYOUTS).filter((name) => curved || !name.startsWith("disc"));
    this.layout.replaceChildren(...layouts.map((name) => made("option", { value: name }, LAYOUTS[name])));
    this.layout.value = curved ? "disc" : second ? "axes" : "components";
    this.fill(this.across, first?.id);
    this.fill(this.up, second?.id);
    this.fill(this.shade, first?.id, true);
    this.fits();
  }

  fill(field, chosen, none = false) {
    const abouts = [...new Set(this.axes.map((axis) => axis.about))];
    const groups = abouts.map((about) => made("optgroup", { label: about }, ...this.axes.filter((axis) => axis.about === about).map((axis) => made("option", { value: axis.id }, axis.title))));
    const own = made("optgroup", { label: "your lists" }, ...Object.entries(OWN).map(([id, roles]) => made("option", { value: id }, `${roles[0].toUpperCase()} – ${roles[1].toUpperCase()}`)));
    field.replaceChildren(...(none ? [made("option", { value: "" }, "none")] : []), ...groups, own);
    if (chosen) field.value = chosen;
  }

  // Show what the layout needs and nothing else.
  fits() {
    const balls = /^poincare-x(\d+)$/.exec(this.app.model.geometry);
    this.labels.across.hidden = this.labels.up.hidden = !this.layout.value.endsWith("axes");
    // The directions of two axes are those of the whole space, and not of one of its balls.
    for (const option of this.layout.options) option.hidden = option.disabled = Boolean(balls) && option.value === "disc-axes";
    this.labels.ball.hidden = !(balls && this.layout.value === "disc");
    if (balls) this.ball.max = balls[1];
  }

  axis(id) {
    const roles = OWN[id];
    return roles ? { a: this.app.lists[roles[0]], b: this.app.lists[roles[1]], title: `your ${roles[0].toUpperCase()} – ${roles[1].toUpperCase()}` } : id;
  }

  // The question as the server takes it; null if a list that it needs is empty.
  question(words) {
    const onAxes = this.layout.value.endsWith("axes"), named = [...(onAxes ? [this.across.value, this.up.value] : []), ...(this.shade.value ? [this.shade.value] : [])];
    const empty = named.filter((id) => OWN[id]).flatMap((id) => OWN[id]).filter((role) => !this.app.lists[role].length);
    if (empty.length) {
      this.app.trouble(`The list ${empty[0].toUpperCase()} is empty; choose words on the map and put them into it, or choose another axis.`);
      return null;
    }
    return {
      model: this.app.model.name,
      layout: this.layout.value.replace("-axes", ""),
      axes: onAxes ? [this.across, this.up].map((field) => this.axis(field.value)) : [],
      shade: this.shade.value ? this.axis(this.shade.value) : null,
      first: Number(this.first.value),
      words,
      ball: this.labels.ball.hidden ? null : Number(this.ball.value),
    };
  }
}
