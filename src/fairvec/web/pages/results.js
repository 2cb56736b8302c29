// The runs of the folders that were named: each opens as its report, a damaged one says what is wrong.
import { counted, made } from "./made.js";

const element = (id) => document.getElementById(id);

function drawn(run) {
  const address = `run?${new URLSearchParams({ name: run.name })}`;
  // A report is a page of nobody, and cannot lead back here: it has a tab of its own.
  const title = run.fault ? made("b", {}, run.name) : made("a", { href: address, target: "_blank", rel: "noopener" }, run.name);
  const about = run.fault || [counted(run.records, "record"), run.models.join(", ")].filter(Boolean).join(": ");
  const written = run.written ? new Date(run.written).toLocaleString() : "";
  return made("li", {}, made("p", {}, title, ` ${run.kind} `, made("small", {}, written)), made("p", { role: run.fault ? "alert" : null }, about));
}

async function start() {
  try {
    const answer = await fetch("api/results");
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error);
    element("runs").append(found.runs.length ? made("ul", {}, ...found.runs.map(drawn))
      : made("p", {}, "No folder of results is open: start 'fairvec explore --results FOLDER', or make results with 'fairvec audit MODEL -o FOLDER'."));
  } catch (error) {
    element("trouble").textContent = error instanceof TypeError ? "The server does not answer: it was stopped, or is busy. Start 'fairvec explore' again." : error.message;
    element("trouble").hidden = false;
  }
}

start();
