// The frame of the page: which view, which model, and how the server is asked.
import { view as ask } from "./ask.js";
import { restoreLists } from "./ask_state.js";
import { view as change } from "./change.js";
import { view as compare } from "./compare.js";
import { byId, element, jsonRequest, NO_ANSWER } from "./dom.js";
import { view as see } from "./see.js";

const views = [ask, see, change, compare];

export const app = {
  models: [],
  model: null, // the one that is chosen: {name, words, dimensions, geometry, languages}
  lists: { x: [], y: [], a: [], b: [] }, // shared by all views, so that a word added in one is there in another
  listeners: new Set(),
  // Call when the model or the lists change; every view that listens draws itself again.
  changed(what) { troubles.clear(); showTroubles(); for (const listener of this.listeners) listener(what); },
  // Ask the server; an answer that is an error is shown in the page, and null comes back.
  async get(path, query = {}) { return request(`api/${path}?${new URLSearchParams(query)}`, {}); },
  async post(path, question, signal) {
    return request(`api/${path}`, { ...jsonRequest(question), signal });
  },
  // Say a sentence to people who cannot see the figure move.
  announce(sentence) { byId("announcement").textContent = sentence; },
  // Say what went wrong in a part of the page, until that part goes well; `again` is what a button beside it does.
  trouble(sentence, again, part) {
    troubles.delete(part);
    if (sentence) troubles.set(part, { sentence, again });
    showTroubles();
  },
};

// By the part that failed: a good answer to one question does not mend another.
const troubles = new Map(), UNANSWERED = "the server";

function showTroubles() {
  const shown = [...new Map([...troubles.values()].map((one) => [one.sentence, one])).values()], again = shown.find((one) => one.again)?.again;
  const place = byId("trouble");
  place.replaceChildren(shown.map((one) => one.sentence).join(" "), ...(again ? [" ", element("button", { type: "button", onclick: again }, "Try again")] : []));
  place.hidden = !shown.length;
}

async function request(address, options) {
  const part = address.split("?")[0];
  try {
    const answer = await fetch(address, options);
    const body = await answer.json();
    troubles.delete(UNANSWERED);
    app.trouble(answer.ok ? "" : body.error, [401, 429, 503].includes(answer.status) ? retry : null, part);
    if (answer.ok) return body;
  } catch (error) {
    if (error.name !== "AbortError") reportNoAnswer();
  }
  return null;
}

// The server is gone or busy: nothing is lost here, and another one on this port can go on.
function reportNoAnswer() {
  app.trouble(`${NO_ANSWER} If it was stopped, start 'fairvec explore' again with --port ${location.port}, open the address that it prints, and try again here: what you typed is still here.`, retry, UNANSWERED);
}

async function retry() {
  if (!app.models.length) { location.reload(); return; }
  if (await app.get("remarks")) app.changed("model");
}

// A model's file may have been moved or written to while the page was away.
async function checkFiles() {
  if (document.hidden || !app.models.length) return;
  const answer = await app.get("remarks");
  const remarks = Object.values(answer?.remarks ?? {});
  if (remarks.length) app.trouble(remarks.join(" "), null, "api/remarks");
}

function show(view) {
  app.listeners.clear();
  troubles.clear();
  showTroubles();
  for (const tab of byId("views").children) tab.setAttribute("aria-selected", String(tab.dataset.view === view.id));
  const place = byId("view");
  place.replaceChildren();
  view.mount(place, app);
  // A view is a step to which the browser's Back returns; the first one replaces the bare address.
  if (location.hash !== `#${view.id}`) history[location.hash ? "pushState" : "replaceState"](null, "", `#${view.id}`);
}

const viewOfAddress = () => views.find((view) => `#${view.id}` === location.hash) ?? views[0];

// The arrow keys go from tab to tab, as they do wherever there are tabs.
function walkTabs(event) {
  const tabs = [...byId("views").children], step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const next = tabs.at((tabs.indexOf(event.target) + step) % tabs.length);
  next.focus();
  next.click();
}

// The button is called by what it does: until it is pressed the page is as dark as the system is.
function bindTheme() {
  const root = document.documentElement, night = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : night.matches);
  const label = () => { byId("theme").textContent = dark() ? "Light" : "Dark"; };
  byId("theme").addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; label(); });
  night.addEventListener("change", label);
  label();
}

async function start() {
  const answer = await app.get("models");
  if (!answer) return;
  if (!answer.models.length) { location.replace("results"); return; }
  app.models = answer.models;
  byId("results").hidden = !answer.results;
  app.model = answer.models[0];
  const choice = byId("model");
  choice.append(...answer.models.map((model) => element("option", { value: model.name }, `${model.name} (${model.words.toLocaleString("en")} words)`)));
  choice.addEventListener("change", () => { app.model = app.models.find((model) => model.name === choice.value); app.changed("model"); });
  byId("views").append(...views.map((view) => element("button", { type: "button", role: "tab", "aria-controls": "view", "data-view": view.id, onclick: () => show(view) }, view.title)));
  bindTheme();
  document.addEventListener("visibilitychange", checkFiles);
  addEventListener("focus", checkFiles);  // a terminal beside this window hides nothing of it
  restoreLists(app);
  byId("views").addEventListener("keydown", walkTabs);
  addEventListener("hashchange", () => show(viewOfAddress()));
  show(viewOfAddress());
}

start();
