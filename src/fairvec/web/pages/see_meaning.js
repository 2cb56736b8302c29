// What the map means, in words: its axes, where they come from, and what the picture does not keep.
import { counted, made } from "./made.js";
import { middleOf } from "./see_points.js";

export function meaning(place, map) {
  const axes = [...map.axes, ...(map.shade && !map.axes.some((axis) => axis.id === map.shade.id) ? [map.shade] : [])];
  const sensitive = [...new Set(axes.map((axis) => axis.sensitive).filter(Boolean))];
  const legend = map.shade ? made("p", { class: "legend" }, made("span", { class: "see-towards" }, "●"), ` ${map.shade.towards} `, made("span", { class: "see-away" }, "■"), ` ${map.shade.away} `, made("span", { class: "see-neither" }, "·"), ` neither; the stronger the colour, the farther from the middle of the shown words (${middleOf(map.leanings).toFixed(3).replace("-", "−")})`) : "";
  const about = (axis) => [made("dt", {}, axis.title), made("dd", {}, `${axis.towards} (+) against ${axis.away} (−): ${axis.formula}. Taken from ${axis.words.join(", ")}${axis.missing.length ? `; not in the model: ${axis.missing.join(", ")}` : ""}. ${axis.source}`)];
  const lost = map.left_out ? ` ${counted(map.left_out, "word has", "words have")} a vector of length zero and ${map.left_out === 1 ? "is" : "are"} not drawn.` : "";
  place.replaceChildren(
    ...sensitive.map((reason) => made("p", { class: "sober" }, reason)), legend,
    made("details", {}, made("summary", {}, "What this map shows"), made("p", { class: "note" }, map.keeps + lost), made("dl", {}, ...axes.flatMap(about))));
}
