// Make an element with attributes and children; text is text, never markup.
export function made(name, attributes = {}, ...children) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) one.addEventListener(key.slice(2), value);
    else if (value === true) one.setAttribute(key, "");
    else if (value !== false && value != null) one.setAttribute(key, value);
  }
  one.append(...children);
  return one;
}
