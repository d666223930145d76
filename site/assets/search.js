// Searches the docs in the browser: search.json has the text of every section, and is loaded with the first letter.
const root = document.currentScript.src; // the addresses in the index are relative to it
const field = document.getElementById("search"), list = document.getElementById("found");
field.parentElement.hidden = false;
let index;

async function sections() {
  index ??= fetch(new URL("search.json", root)).then((answer) => answer.json());
  return index;
}

// A word in a heading counts more than one in the text, and each word has to be somewhere.
function score(section, words) {
  const fields = [[section.page, 8], [section.heading, 5], [section.text, 1]].map(([text, worth]) => [text.toLowerCase(), worth]);
  let sum = 0;
  for (const word of words) {
    const found = fields.filter(([text]) => text.includes(word));
    if (!found.length) return 0;
    for (const [, worth] of found) sum += worth;
  }
  return sum;
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  return (at ? "… " : "") + text.slice(at, at + 130).replace(/[`*|[\]]/g, "").trim() + " …";
}

function result(section, words) {
  const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("small");
  link.href = new URL(section.address, root);
  link.textContent = section.heading ? `${section.page}: ${section.heading}` : section.page;
  text.textContent = excerpt(section.text, words[0]);
  link.append(text);
  item.append(link);
  return item;
}

field.addEventListener("input", async () => {
  const asked = field.value, words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const all = words.length ? await sections() : [];
  if (field.value !== asked) return; // a later letter is faster
  const found = all.map((section) => [score(section, words), section]).filter(([points]) => points);
  found.sort(([a], [b]) => b - a);
  list.replaceChildren(...found.slice(0, 12).map(([, section]) => result(section, words)));
  if (words.length && !found.length) list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found" }));
  list.hidden = !words.length;
});

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === "Escape" && !list.hidden) {
    list.hidden = true;
    field.focus();
  }
});
document.addEventListener("click", (event) => { list.hidden ||= !field.parentElement.contains(event.target); });
