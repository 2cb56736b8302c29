// The interface as a page: every question with its fields and an example that can be asked here.
import { byId, element, jsonRequest, NO_ANSWER } from "./dom.js";

const METHODS = ["get", "post"];

// What a field may hold, in a few words.
function typeOf(schema, document) {
  if (schema.$ref) return typeOf(document.components.schemas[schema.$ref.split("/").at(-1)], document);
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, document)).join(" or ");
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {}, document)}`;
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

async function request(path, method, example) {
  try {
    const answer = method === "get" ? await fetch(byAddress(path, example)) : await fetch(path, jsonRequest(example));
    return `${answer.status}\n${JSON.stringify(await answer.json(), null, 1)}`;
  } catch {
    return NO_ANSWER;
  }
}

function section(path, method, operation, document) {
  const example = exampleOf(operation);
  const answer = element("pre", { tabindex: "0", "aria-label": "The answer", "aria-live": "polite", hidden: true });
  const ask = element("button", { type: "button", onclick: async () => { answer.textContent = await request(path, method, example); answer.hidden = false; } }, "Ask it");
  const rows = fieldsOf(operation, document).map(([name, schema, required]) =>
    element("tr", {}, element("th", { scope: "row" }, element("code", {}, name)), element("td", {}, typeOf(schema, document)), element("td", {}, required ? "required" : `default ${JSON.stringify(schema.default ?? null)}`)));
  return element("section", { class: "question" },
    element("h2", {}, element("code", {}, `${method.toUpperCase()} ${path}`)),
    element("p", {}, operation.summary),
    ...(rows.length ? [element("table", {}, element("tbody", {}, ...rows))] : []),
    element("pre", { tabindex: "0", "aria-label": "On a command line" }, curl(path, method, example)),
    ask, answer);
}

async function start() {
  try {
    const document = await (await fetch("openapi.json")).json();
    byId("about").textContent = document.info.description.replaceAll("`", "");
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of METHODS.filter((one) => one in methods)) byId("questions").append(section(path, method, methods[method], document));
    }
  } catch {
    byId("trouble").textContent = `${NO_ANSWER} Start 'fairvec explore' again.`;
    byId("trouble").hidden = false;
  }
}

start();
