// Saves clicks; every page works without it.
document.documentElement.classList.add("script");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    for (const menu of document.querySelectorAll(".menu[open]")) { menu.open = false; menu.querySelector("summary").focus(); }
    return;
  }
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!target) return;
  event.preventDefault();
  target.matches("input") ? target.focus() : target.click();
});

document.addEventListener("click", async (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copies);
  field.select();
  try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
  button.textContent = "Copied";
});

for (const field of document.querySelectorAll("[data-submits]")) field.addEventListener("change", () => field.form.submit());

// What was typed survives a reload, and goes when it was sent.
for (const field of document.querySelectorAll("[data-keeps]")) {
  const key = `draft:${location.pathname}:${field.name}`;
  if (!field.value) field.value = sessionStorage.getItem(key) ?? "";
  field.addEventListener("input", () => sessionStorage.setItem(key, field.value));
  field.form.addEventListener("submit", () => sessionStorage.removeItem(key));
}

for (const field of document.querySelectorAll("[data-narrows]")) {
  const rows = [...document.getElementById(field.dataset.narrows).children];
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
}
