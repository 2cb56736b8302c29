// The frame of the page: which view, which model, and how the server is asked.
import { view as ask } from "./ask.js";
import { remembering } from "./ask_state.js";
import { view as change } from "./change.js";
import { view as compare } from "./compare.js";
import { made } from "./made.js";
import { view as see } from "./see.js";

export { made };

const views = [ask, see, change, compare];

export const app = {
  models: [],
  model: null, // the one that is chosen: {name, words, dimensions, geometry, languages}
  lists: { x: [], y: [], a: [], b: [] }, // shared by all views, so that a word tried in one is there in another
  listeners: new Set(),
  // Call when the model or the lists change; every view that listens draws itself again.
  changed(what) { troubles.clear(); tellTroubles(); for (const listener of this.listeners) listener(what); },
  // Ask the server; an answer that is no answer is said in the page, and null comes back.
  async get(path, query = {}) { return asked(`api/${path}?${new URLSearchParams(query)}`, {}); },
  async post(path, question, signal) {
    return asked(`api/${path}`, { method: "POST", signal, headers: { "content-type": "application/json" }, body: JSON.stringify(question) });
  },
  // Say a sentence to people who cannot see the figure move.
  tell(sentence) { element("told").textContent = sentence; },
  // Say what went wrong in a part of the page; `again` is what a button beside it does, as when the server is back.
  trouble(sentence, again = null, part = "") {
    troubles.delete(part);
    if (sentence) troubles.set(part, { sentence, again });
    tellTroubles();
  },
};

const element = (id) => document.getElementById(id);

// By the part that failed: a good answer to one question does not mend another.
const troubles = new Map(), UNANSWERED = "the server";

function tellTroubles() {
  const told = [...new Map([...troubles.values()].map((one) => [one.sentence, one])).values()], again = told.find((one) => one.again)?.again;
  const place = element("trouble");
  place.replaceChildren(told.map((one) => one.sentence).join(" "), ...(again ? [" ", made("button", { type: "button", onclick: again }, "Try again")] : []));
  place.hidden = !told.length;
}

async function asked(address, request) {
  const part = address.split("?")[0];
  try {
    const answer = await fetch(address, request);
    const found = await answer.json();
    troubles.delete(UNANSWERED);
    if (answer.ok) troubles.delete(""); // what the page itself found fault with was about what stood there before
    app.trouble(answer.ok ? "" : found.error, [401, 429, 503].includes(answer.status) ? again : null, part);
    if (answer.ok) return found;
  } catch (error) {
    if (error.name !== "AbortError") silent();
  }
  return null;
}

// The server is gone or busy: nothing is lost here, and another one on this port can go on.
function silent() {
  app.trouble(`The server does not answer: it was stopped, or is busy. If it was stopped, start 'fairvec explore' again with --port ${location.port}, open the address that it prints, and try again here: what you typed is still here.`, again, UNANSWERED);
}

async function again() {
  if (!app.models.length) { location.reload(); return; }
  if (await app.get("remarks")) app.changed("model");
}

// A model's file may have been moved or written to while the page was away.
async function lookAtFiles() {
  if (document.hidden || !app.models.length) return;
  const told = await app.get("remarks");
  const remarks = Object.values(told?.remarks ?? {});
  if (remarks.length) app.trouble(remarks.join(" "), null, "api/remarks");
}

function show(view) {
  app.listeners.clear();
  troubles.clear();
  tellTroubles();
  for (const tab of element("views").children) tab.setAttribute("aria-selected", String(tab.dataset.view === view.id));
  const place = element("view");
  place.replaceChildren();
  view.mount(place, app);
  // A view is a step to which the browser's Back returns; the first one replaces the bare address.
  if (location.hash !== `#${view.id}`) history[location.hash ? "pushState" : "replaceState"](null, "", `#${view.id}`);
}

const viewOfAddress = () => views.find((view) => `#${view.id}` === location.hash) ?? views[0];

// The arrow keys go from tab to tab, as they do wherever there are tabs.
function walked(event) {
  const tabs = [...element("views").children], step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const next = tabs.at((tabs.indexOf(event.target) + step) % tabs.length);
  next.focus();
  next.click();
}

// The button is called by what it does: until it is pressed the page is as dark as the system is.
function theming() {
  const root = document.documentElement, night = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : night.matches);
  const call = () => { element("theme").textContent = dark() ? "Light" : "Dark"; };
  element("theme").addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; call(); });
  night.addEventListener("change", call);
  call();
}

async function start() {
  const told = await app.get("models");
  if (!told) return;
  if (!told.models.length) { location.replace("results"); return; }
  app.models = told.models;
  element("results").hidden = !told.results;
  app.model = told.models[0];
  const choice = element("model");
  choice.append(...told.models.map((model) => made("option", { value: model.name }, `${model.name} (${model.words.toLocaleString("en")} words)`)));
  choice.addEventListener("change", () => { app.model = app.models.find((model) => model.name === choice.value); app.changed("model"); });
  element("views").append(...views.map((view) => made("button", { type: "button", role: "tab", "aria-controls": "view", "data-view": view.id, onclick: () => show(view) }, view.title)));
  theming();
  document.addEventListener("visibilitychange", lookAtFiles);
  addEventListener("focus", lookAtFiles);  // a terminal beside this window hides nothing of it
  remembering(app);
  element("views").addEventListener("keydown", walked);
  addEventListener("hashchange", () => show(viewOfAddress()));
  show(viewOfAddress());
}

// Modules run once the page is read; views import `made` and `app` from here, so that the start waits for them.
queueMicrotask(start);
