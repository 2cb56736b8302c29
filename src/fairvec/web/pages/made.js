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

// 1 word, 2,000 words.
export function counted(count, noun, plural = `${noun}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}

// What helps is said as a command has it; the page has no such option, and its lists can be changed.
export function inThePage(sentence) {
  return sentence.replace("lower the smallest coverage (--min-coverage)", "take those that it lacks out of the lists in Ask");
}
