// The interface as a page: every question with its fields and an example that can be asked here.
import { made } from "./made.js";

const METHODS = ["get", "post"];
const element = (id) => document.getElementById(id);

// What a field may hold, in a few words.
function kindOf(schema, document) {
  if (schema.$ref) return kindOf(document.components.schemas[schema.$ref.split("/").at(-1)], document);
  if (schema.anyOf) return schema.anyOf.map((one) => kindOf(one, document)).join(" or ");
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" or ");
  if (schema.type === "array") return `list of ${kindOf(schema.items ?? {}, document)}`;
  const limits = ["minimum", "maximum", "minLength", "maxLength"].filter((name) => name in schema).map((name) => `${name} ${schema[name]}`);
  return [schema.type ?? "anything", ...limits].join(", ");
}

function fieldsOf(operation, document) {
  if (operation.parameters) return operation.parameters.map((one) => [one.name, one.schema, one.required]);
  const body = operation.requestBody?.content["application/json"].schema;
  if (!body) return [];
  const schema = document.components.schemas[body.$ref.split("/").at(-1)];
  return Object.entries(schema.properties ?? {}).map(([name, field]) => [name, field, (schema.required ?? []).includes(name)]);
}

function exampleOf(operation) {
  if (operation.requestBody) return operation.requestBody.content["application/json"].example;
  return Object.fromEntries((operation.parameters ?? []).filter((one) => "example" in one).map((one) => [one.name, one.example]));
}

const byAddress = (path, example) => (Object.keys(example).length ? `${path}?${new URLSearchParams(example)}` : path);

function curl(path, method, example) {
  const token = '-H "Authorization: Bearer TOKEN"';
  if (method === "get") return `curl ${token} '${location.origin}${byAddress(path, example)}'`;
  return `curl ${token} --json '${JSON.stringify(example)}' '${location.origin}${path}'`;
}

async function asked(path, method, example) {
  const request = method === "get" ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(example) };
  try {
    const answer = await fetch(method === "get" ? byAddress(path, example) : path, request);
    return `${answer.status}\n${JSON.stringify(await answer.json(), null, 1)}`;
  } catch {
    return "The server does not answer: it was stopped, or is busy.";
  }
}

function drawn(path, method, operation, document) {
  const example = exampleOf(operation);
  const answer = made("pre", { tabindex: "0", "aria-label": "The answer", "aria-live": "polite", hidden: true });
  const ask = made("button", { type: "button", onclick: async () => { answer.textContent = await asked(path, method, example); answer.hidden = false; } }, "Ask it");
  const rows = fieldsOf(operation, document).map(([name, schema, required]) =>
    made("tr", {}, made("th", { scope: "row" }, made("code", {}, name)), made("td", {}, kindOf(schema, document)), made("td", {}, required ? "required" : `default ${JSON.stringify(schema.default ?? null)}`)));
  return made("section", { class: "question" },
    made("h2", {}, made("code", {}, `${method.toUpperCase()} ${path}`)),
    made("p", {}, operation.summary),
    ...(rows.length ? [made("table", {}, made("tbody", {}, ...rows))] : []),
    made("pre", { tabindex: "0", "aria-label": "On a command line" }, curl(path, method, example)),
    ask, answer);
}

async function start() {
  try {
    const document = await (await fetch("openapi.json")).json();
    element("about").textContent = document.info.description.replaceAll("`", "");
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of METHODS.filter((one) => one in methods)) element("questions").append(drawn(path, method, methods[method], document));
    }
  } catch {
    element("trouble").textContent = "The server does not answer: it was stopped, or is busy. Start 'fairvec explore' again.";
    element("trouble").hidden = false;
  }
}

start();
