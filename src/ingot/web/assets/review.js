// Reviewing without leaving the page. A comment on lines: the form comes below the line; Shift or dragging takes several lines.
let last = document.getElementById("line-form")?.closest("tr")?.previousElementSibling?.querySelector("a[href*='comment=']");
let dragged = null;

const numberAt = (target) => target.closest?.(".diff td")?.querySelector("a[href*='comment=']");
const place = (link) => link.hash.slice(1).split("_");  // the file, the old and the new number

// The link of the lower of two lines of one file, and the number of the upper one.
function range(one, other) {
  if (!one || place(one)[0] !== place(other)[0]) return [other, ""];
  const [first, end] = one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? [one, other] : [other, one];
  return [end, place(first)[end.closest(".del") ? 1 : 2]];
}

async function open(link, first = "") {
  const address = new URL(link.href);
  if (first) address.searchParams.set("from_line", first);
  const alone = new URL(address);
  alone.searchParams.set("file", place(link)[0]);
  const answer = await fetch(alone);
  const page = answer.ok ? window.pageFrom(await answer.text()) : null;
  const row = document.getElementById(link.hash.slice(1))?.closest("tr");
  const form = page?.getElementById("line-form");
  if (!form || !row) { location.href = address; return; }
  const typed = document.getElementById("line_body")?.value;
  close();  // what was typed goes along
  form.elements.back.value = form.elements.back.value.split("?")[0] + location.search;
  const below = row.nextElementSibling;
  if (below?.classList.contains("talk")) below.querySelector(".talk-box").append(form);
  else row.after(form.closest("tr"));
  const field = document.getElementById("line_body");
  document.dispatchEvent(new Event("inserted"));
  if (typed) { field.value = typed; field.dispatchEvent(new Event("input")); }
  field.focus();
}

function close() {
  document.getElementById("line_body")?.dispatchEvent(new Event("forget"));
  const form = document.getElementById("line-form");
  const row = form?.closest("tr");
  form?.remove();
  if (row && !row.querySelector(".talk-box > *")) row.remove();
}

document.addEventListener("click", async (event) => {
  if (event.target.closest("[data-closes]")) { event.preventDefault(); close(); return; }
  const suggest = event.target.closest("button[name=suggest]");
  if (suggest) {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(suggest.form, suggest));
    const answer = await fetch(suggest.form.action, { method: "POST", body });
    const field = answer.ok && window.pageFrom(await answer.text()).getElementById("line_body");
    if (field) { document.getElementById("line_body").value = field.value; document.getElementById("line_body").focus(); }
    return;
  }
  const link = event.target.closest(".diff td > a[href*='comment=']");
  if (!link || event.ctrlKey || event.metaKey || event.button) return;
  event.preventDefault();
  const [end, first] = event.shiftKey ? range(last, link) : [link, ""];
  last = link;
  open(end, first);
});

document.addEventListener("mousedown", (event) => { dragged = event.button ? null : numberAt(event.target); });
document.addEventListener("dragstart", (event) => { if (numberAt(event.target)) event.preventDefault(); });
document.addEventListener("mouseup", (event) => {
  const link = event.target.closest?.("tr")?.querySelector("a[href*='comment=']");
  if (!dragged || !link || link.closest("tr") === dragged.closest("tr")) return;
  const [end, first] = range(dragged, link);
  if (first) { last = end; open(end, first); }
});

// A mark of a viewed file is kept by the server; its file is folded.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[form=viewed-form]");
  if (!button) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(button.form, button));
  body.set("stay", "1");
  const answer = await fetch(button.form.action, { method: "POST", body }).catch(() => null);
  if (answer?.status !== 204) { button.form.requestSubmit(button); return; }
  const isViewed = button.value === button.dataset.on;
  const file = button.closest(".diff");
  button.value = isViewed ? file.id : button.dataset.on;
  button.setAttribute("aria-pressed", String(isViewed));
  file.querySelector(":scope > details").open = !isViewed;
  document.querySelector(`#changed-files a[href="#${file.id}"] ~ .seen`)?.toggleAttribute("hidden", !isViewed);
  document.getElementById("viewed-count").textContent = document.querySelectorAll(".viewed[aria-pressed=true]").length;
});
