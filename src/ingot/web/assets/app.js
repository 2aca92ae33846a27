// Saves clicks; every page works without it.

// Also where the browser has no clipboard for pages: over plain http.
window.copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
};

// What a script has done is said for six seconds, to screen readers too: these speak of what comes into a line that is there.
window.say = (words) => {
  const line = document.createElement("p");
  line.className = "toast";
  line.setAttribute("role", "status");
  document.body.append(line);
  setTimeout(() => { line.textContent = words; }, 100);
  setTimeout(() => line.remove(), 6000);
};

let went = 0;  // when `g` was pressed

// Focus the next file, comment or entry of a list, or the next open thread.
const PLACES = "main .diff > details > summary, main .note h3 a, main .rows .title";
const OPEN = ".thread[data-open] .note:first-of-type h3 a";
function step(by, selector = PLACES) {
  const places = [...document.querySelectorAll(selector)].filter((place) => place.offsetParent);
  const here = document.activeElement;
  const after = (place) => place.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_PRECEDING;
  const next = here === document.body ? places.at(by > 0 ? 0 : -1) : by > 0 ? places.find(after) : places.findLast((place) => place !== here && !after(place));
  if (!next) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "center" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    for (const menu of document.querySelectorAll(".menu[open]")) { menu.open = false; menu.querySelector("summary").focus(); }
    return;
  }
  const menu = event.target.closest(".menu[open]");
  if (menu && (event.key === "ArrowDown" || event.key === "ArrowUp") && !event.target.matches("select, textarea, input")) {
    const entries = [...menu.querySelectorAll("summary, .list a, .list button")];
    const by = event.key === "ArrowDown" ? 1 : entries.length - 1;
    event.preventDefault();
    entries[(entries.indexOf(event.target) + by) % entries.length].focus();
    return;
  }
  if (localStorage.getItem("keys") === "off" || event.target.closest("input, textarea, select, [contenteditable]")) return;
  if (went && event.timeStamp - went < 2000) {
    went = 0;
    const tab = { h: "/", t: "/dashboard/todos" }[event.key] ?? [...document.querySelectorAll(".place .tabs a")].find((link) => link.dataset.go === event.key)?.href;
    if (tab) location.href = tab;
    return;
  }
  if (event.key === "g") { went = event.timeStamp; return; }
  if (event.key === "?") { location.href = "/help/shortcuts"; return; }
  if (event.key === "j" || event.key === "k") { step(event.key === "j" ? 1 : -1); return; }
  if (event.key === "n" || event.key === "p") { step(event.key === "n" ? 1 : -1, OPEN); return; }
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!target) return;
  event.preventDefault();
  target.matches("input, textarea, [data-focused]") ? target.focus() : target.click();
});

document.addEventListener("click", async (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  const button = event.target.closest("[data-copies], [data-copies-text]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copies);
  field?.select();
  await window.copyText(field?.value ?? button.dataset.copiesText);
  button.textContent = "Copied";
  window.say("Copied.");
});

// On narrow screens the row of tabs scrolls: the current one is in sight.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  const row = tab.parentElement;
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}

for (const box of document.querySelectorAll("[data-keys]")) {
  box.checked = localStorage.getItem("keys") !== "off";
  box.addEventListener("change", () => localStorage.setItem("keys", box.checked ? "on" : "off"));
}

for (const box of document.querySelectorAll("[data-ticks]")) box.addEventListener("change", () => {
  for (const other of document.querySelectorAll(`[form="${box.dataset.ticks}"]`)) other.checked = box.checked;
});

for (const field of document.querySelectorAll("[data-submits]")) field.addEventListener("change", () => {
  const button = document.getElementById(field.dataset.submits);
  button ? field.form.requestSubmit(button) : field.form.submit();
});

// Texts that were sent need not be kept any more; who comes back to their form, as from a fault, finds them there.
if (performance.getEntriesByType("navigation")[0]?.type === "navigate" && !document.querySelector(".fault")) {
  for (const key of Object.keys(sessionStorage).filter((name) => name.startsWith("sent:"))) {
    sessionStorage.removeItem(key);
    sessionStorage.removeItem(key.slice(5));
  }
}

// What helps to write is loaded where there is something to write.
const write = () => { if (document.querySelector("textarea, [data-keeps]")) import(document.body.dataset.writing); };
write();
document.addEventListener("inserted", write);

// Names for filters are offered where somebody begins to type one.
document.addEventListener("focusin", (event) => {
  const form = event.target.closest("[data-names]");
  if (form) import(form.dataset.names);
});

// A form that is on its way says so on its button.
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (event.defaultPrevented || !button || event.target.method !== "post") return;
  button.setAttribute("aria-busy", "true");
  setTimeout(() => button.removeAttribute("aria-busy"), 8000);
});
addEventListener("pageshow", () => { for (const button of document.querySelectorAll("button[aria-busy]")) button.removeAttribute("aria-busy"); });

for (const field of document.querySelectorAll("[data-narrows]")) {
  const rows = [...document.getElementById(field.dataset.narrows).querySelectorAll("li")];
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    // From the last to the first: a folder is shown as long as something in it is.
    for (const row of rows.reverse()) row.hidden = row.querySelector("li") ? !row.querySelector("li:not([hidden])") : !words.every((word) => (row.dataset.path ?? row.textContent).toLowerCase().includes(word));
    rows.reverse();
  });
}

// A list that is longer than the page is asked for again when typing pauses.
for (const field of document.querySelectorAll("[data-asks]")) {
  let pause = 0;
  field.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(async () => {
      const asked = field.value;
      const answer = await fetch(`${location.pathname}?${new URLSearchParams({ [field.name]: asked })}`).catch(() => null);
      if (!answer?.ok || field.value !== asked) return;
      const page = window.pageFrom(await answer.text());
      for (const id of [field.dataset.asks, `${field.dataset.asks}-left`]) {
        const fresh = page.getElementById(id);
        if (fresh) document.getElementById(id)?.replaceWith(fresh);
      }
    }, 200);
  });
}

// A page that was fetched, as a document.
let policy = null;
window.pageFrom = (text) => {
  policy ??= window.trustedTypes?.createPolicy("ingot", { createHTML: (html) => html }) ?? { createHTML: (html) => html };
  return new DOMParser().parseFromString(policy.createHTML(text), "text/html");
};

// A page that says where its changes are told takes over the parts that changed.
const live = document.querySelector("[data-live]");
if (live && window.EventSource) import(live.dataset.script);

// Counts on tabs that take longer than the page.
const counted = document.querySelector("[data-counts]");
if (counted?.querySelector("[data-count]")) {
  const answer = await fetch(counted.dataset.counts);
  const counts = answer.ok ? await answer.json() : {};
  for (const place of counted.querySelectorAll("[data-count]")) {
    place.textContent = counts[place.dataset.count] ?? "";
    place.classList.toggle("coming", !place.textContent);
  }
}

// What changed files last and what git takes long for, where it took longer than the page.
for (let wait = 500, left = 120000, part; left > 0 && (part = document.querySelector("[data-fills]")); wait = Math.min(wait * 2, 8000)) {
  left -= wait;
  await new Promise((go) => setTimeout(go, wait));
  const answer = await fetch(location.pathname + location.search).catch(() => null);
  const page = answer?.ok ? window.pageFrom(await answer.text()) : null;
  for (part of page ? document.querySelectorAll("[data-fills]") : []) {
    const fresh = page.getElementById(part.id);
    if (!fresh || fresh.dataset.fills === "page" || part.contains(document.activeElement)) continue;
    part.replaceWith(fresh);
    if (part.dataset.fills !== "page") continue;
    if (answer.redirected) history.replaceState(null, "", answer.url + location.hash);
    if (location.hash) location.replace(location.hash);
    dispatchEvent(new Event("hashchange"));
  }
  if (answer && !answer.ok && part.dataset.fills === "page") location.reload();
}
