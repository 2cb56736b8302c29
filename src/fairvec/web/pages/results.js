// The runs of the results folders: each opens as its report, a damaged one says what is wrong.
import { byId, element, NO_ANSWER, pluralize } from "./dom.js";

function runItem(run) {
  const address = `run?${new URLSearchParams({ name: run.name })}`;
  // A report is in a sandbox and cannot lead back here: it has a tab of its own.
  const title = run.fault ? element("b", {}, run.name) : element("a", { href: address, target: "_blank", rel: "noopener" }, run.name);
  const about = run.fault || [pluralize(run.records, "record"), run.models.join(", ")].filter(Boolean).join(": ");
  const written = run.written ? new Date(run.written).toLocaleString() : "";
  return element("li", {}, element("p", {}, title, ` ${run.kind} `, element("small", {}, written)), element("p", { role: run.fault ? "alert" : null }, about));
}

async function start() {
  try {
    const answer = await fetch("api/results");
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error);
    byId("runs").append(body.runs.length ? element("ul", {}, ...body.runs.map(runItem))
      : element("p", {}, "No folder of results is open: start 'fairvec explore --results FOLDER', or make results with 'fairvec audit MODEL -o FOLDER'."));
    if (body.more) byId("runs").append(element("p", {}, `${pluralize(body.more, "more run is", "more runs are")} not shown: name a folder with fewer runs, as in 'fairvec explore --results FOLDER'.`));
  } catch (error) {
    byId("trouble").textContent = error instanceof TypeError ? `${NO_ANSWER} Start 'fairvec explore' again.` : error.message;
    byId("trouble").hidden = false;
  }
}

start();
