// What is asked: four lists, what they are called and which published lists they began as.
// It outlives a reload, a change of model and a stopped server, and every change can be undone.
export const ROLES = ["x", "y", "a", "b"];
export const MOST_WORDS = 500;
const KEPT = "fairvec-ask";
const MOST_STEPS = 100;
const page = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");
const nothing = () => ({ titles: {}, sources: {}, title: "", category: "", kind: "bias" });

let said = nothing();
const past = [];

// Called once by the frame: whatever view a reload begins with, the lists are there.
export function remembering(app) {
  const asked = new AskedState(app);
  asked.recalled();
  addEventListener("pagehide", () => asked.keep());
}

// The lists as other views send them: with what their words are known by, so that all find the same.
export function ownLists(app) { return { lists: app.lists, sources: said.sources, kind: said.kind }; }

export class AskedState {
  constructor(app) {
    this.app = app;
    this.trial = null; // a word that is typed or looked at and not yet in its list: {role, word}
  }

  get empty() { return ROLES.every((role) => !this.app.lists[role].length); }
  get lastStep() { return past.at(-1)?.what ?? ""; }
  get sources() { return said.sources; }
  words(role) { return this.app.lists[role]; }
  title(role) { return said.titles[role] ?? ""; }
  has(role, word) { return this.words(role).includes(word); }

  // What is sent; `with` a word that is being tried, it is not what stands in the lists.
  question(trial = null) {
    const lists = Object.fromEntries(ROLES.map((role) => [role, [...this.words(role)]]));
    if (trial && !lists[trial.role].includes(trial.word)) lists[trial.role].push(trial.word);
    const titles = Object.fromEntries(Object.entries(said.titles).filter(([, title]) => title.trim()));
    return { ...said, titles, model: this.app.model.name, ...lists, page };
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
        said.titles[role] = test.titles[role];
        said.sources[role] = test.id ?? test.source;
      }
      if (roles.length === ROLES.length) Object.assign(said, { title: test.title, category: test.category, kind: test.kind });
      // Lists of two tests together are a test of bias unless both were of another kind.
      else if (test.kind) Object.assign(said, { category: said.category === test.category ? test.category : "", kind: said.kind === test.kind ? test.kind : "bias" });
    });
  }

  // What the page begins with is no step that one took.
  begin(test) { this.fill(test, ROLES, ""); }

  clear() { this.change("cleared the lists", () => { for (const role of ROLES) this.set(role, []); said = nothing(); }); }

  rename(role, title) { said.titles[role] = title.slice(0, 200); said.title = ""; this.keep(); this.app.changed("lists"); }

  undo() {
    const step = past.pop();
    if (step) { this.restore(step.before); this.keep(); this.app.changed("lists"); }
    return step?.what;
  }

  set(role, words) {
    this.app.lists[role] = words;
    said.title = ""; // words that were changed are no longer the published test
    if (!words.length) { delete said.titles[role]; delete said.sources[role]; }
    if (!Object.keys(said.sources).length) Object.assign(said, { category: "", kind: "bias" });
  }

  change(what, how) {
    if (what) past.push({ what, before: this.whole() });
    if (past.length > MOST_STEPS) past.shift();
    this.trial = null;
    how();
    this.keep();
    this.app.changed("lists");
  }

  whole() { return JSON.stringify({ lists: this.app.lists, said }); }

  restore(text) {
    const { lists, said: known } = JSON.parse(text);
    for (const role of ROLES) this.app.lists[role] = lists[role].filter((word) => typeof word === "string");
    said = { ...nothing(), ...known };
  }

  keep() { try { sessionStorage.setItem(KEPT, this.whole()); } catch { /* a full or forbidden store costs a reload its lists, and nothing else */ } }

  recalled() { try { const text = sessionStorage.getItem(KEPT); if (text) this.restore(text); } catch { /* what cannot be read is as if nothing was kept */ } }
}
