// What every page needs: elements, plural words, and the words for a server that is gone.
export const byId = (id) => document.getElementById(id);

export const NO_ANSWER = "The server does not answer: it was stopped, or is busy.";

// Make an element with attributes and children; text is text, never markup.
export const element = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

// Make an element of a drawing.
export const svg = (name, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

function fill(one, attributes = {}, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) one.addEventListener(key.slice(2), value);
    else if (value === true) one.setAttribute(key, "");
    else if (value !== false && value != null) one.setAttribute(key, value);
  }
  one.append(...children);
  return one;
}

// 1 word, 2,000 words.
export function pluralize(count, noun, plural = `${noun}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}

// What sends a question as JSON.
export const jsonRequest = (question) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question) });
