// The four lists, their titles and the published lists they began as.
// It outlives a reload, a change of model and a stopped server, and every change can be undone.

export const ROLES = ["x", "y", "a", "b"];
export const MOST_WORDS = 500;
const STORAGE_KEY = "fairvec-ask";
const MOST_STEPS = 100;
const page = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");
const emptyLabels = () => ({ titles: {}, sources: {}, title: "", category: "", kind: "bias" });

let labels = emptyLabels();
const steps = [];

// Called once by the frame: whatever view a reload begins with, the lists are there.
export function restoreLists(app) {
  const state = new ListState(app);
  state.load();
  addEventListener("pagehide", () => state.save());
}

// The lists as other views send them: with what their words are known by, so that all find the same.
export function ownLists(app) { return { lists: app.lists, sources: labels.sources, kind: labels.kind }; }

export class ListState {
  constructor(app) {
    this.app = app;
    this.trial = null; // a word that is typed or highlighted and not yet in its list: {role, word}
  }

  get empty() { return ROLES.every((role) => !this.app.lists[role].length); }
  get lastStep() { return steps.at(-1)?.what ?? ""; }
  get sources() { return labels.sources; }
  words(role) { return this.app.lists[role]; }
  title(role) { return labels.titles[role] ?? ""; }
  has(role, word) { return this.words(role).includes(word); }

  // What is sent; with a word on trial too, which is not yet in its list.
  question(trial = null) {
    const lists = Object.fromEntries(ROLES.map((role) => [role, [...this.words(role)]]));
    if (trial && !lists[trial.role].includes(trial.word)) lists[trial.role].push(trial.word);
    const titles = Object.fromEntries(Object.entries(labels.titles).filter(([, title]) => title.trim()));
    return { ...labels, titles, model: this.app.model.name, ...lists, page };
  }

  add(role, words) {
    const fresh = [...new Set(words.map((word) => word.trim().slice(0, 200)))].filter((word) => word && !this.has(role, word));
    const room = fresh.slice(0, MOST_WORDS - this.words(role).length);
    if (room.length) this.change(`added ${room.length > 1 ? `${room.length} words` : room[0]}`, () => this.set(role, [...this.words(role), ...room]));
    return { added: room, left: fresh.slice(room.length) };
  }

  drop(role, word) {
    this.change(`dropped ${word}`, () => this.set(role, this.words(role).filter((each) => each !== word)));
  }

  replace(role, word, other) {
    this.change(`${word} became ${other}`, () => this.set(role, [...new Set(this.words(role).map((each) => (each === word ? other : each)))]));
  }

  // Take lists of a published test: all four, or those of some roles.
  fill(test, roles = ROLES, what = `took ${test.title}`) {
    this.change(what, () => {
      for (const role of roles) {
        this.set(role, [...test.lists[role]]);
        labels.titles[role] = test.titles[role];
        labels.sources[role] = test.id ?? test.source;
      }
      if (roles.length === ROLES.length) Object.assign(labels, { title: test.title, category: test.category, kind: test.kind });
      // Lists of two tests together are a test of bias unless both were of another kind.
      else if (test.kind) Object.assign(labels, { category: labels.category === test.category ? test.category : "", kind: labels.kind === test.kind ? test.kind : "bias" });
    });
  }

  // What the page begins with is no step that one took.
  begin(test) { this.fill(test, ROLES, ""); }

  clear() { this.change("cleared the lists", () => { for (const role of ROLES) this.set(role, []); labels = emptyLabels(); }); }

  rename(role, title) { labels.titles[role] = title.slice(0, 200); labels.title = ""; this.save(); this.app.changed("lists"); }

  undo() {
    const step = steps.pop();
    if (step) { this.restore(step.before); this.save(); this.app.changed("lists"); }
    return step?.what;
  }

  set(role, words) {
    this.app.lists[role] = words;
    labels.title = ""; // words that were changed are no longer the published test
    if (!words.length) { delete labels.titles[role]; delete labels.sources[role]; }
    if (!Object.keys(labels.sources).length) Object.assign(labels, { category: "", kind: "bias" });
  }

  change(what, apply) {
    if (what) steps.push({ what, before: this.toText() });
    if (steps.length > MOST_STEPS) steps.shift();
    this.trial = null;
    apply();
    this.save();
    this.app.changed("lists");
  }

  toText() { return JSON.stringify({ lists: this.app.lists, labels }); }

  restore(text) {
    const { lists, labels: stored } = JSON.parse(text);
    for (const role of ROLES) this.app.lists[role] = lists[role].filter((word) => typeof word === "string");
    labels = { ...emptyLabels(), ...stored };
  }

  save() { try { sessionStorage.setItem(STORAGE_KEY, this.toText()); } catch { /* a full or forbidden store costs a reload its lists, and nothing else */ } }

  load() { try { const text = sessionStorage.getItem(STORAGE_KEY); if (text) this.restore(text); } catch { /* what cannot be read is as if nothing was saved */ } }
}
