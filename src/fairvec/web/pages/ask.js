// Ask: four lists of words; effect, interval and exact p as you type.
import { made } from "./app.js";

export const view = {
  id: "ask",
  title: "Ask",
  mount(place, app) { place.append(made("p", {}, `Four lists, put to ${app.model.name}.`)); },
};
