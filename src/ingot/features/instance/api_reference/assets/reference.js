// Filters the endpoints as one types, and opens the one that the address names.
const field = document.getElementById("filter");
const entries = [...document.querySelectorAll("details")].map((node) => [node, node.querySelector("summary").textContent.toLowerCase()]);

function filter() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const [node, text] of entries) node.hidden = !words.every((word) => text.includes(word));
  for (const section of document.querySelectorAll("section")) {
    section.hidden = !section.querySelector("details:not([hidden])");
  }
}

function open() {
  const node = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (node instanceof HTMLDetailsElement) node.open = true;
}

field.addEventListener("input", filter);
addEventListener("hashchange", open);
open();
