// Texts that people write: previewed in their place, with files, and kept until they are sent.
// A text is previewed in its place.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-previews]");
  if (!button) return;
  event.preventDefault();
  const field = button.form.elements[button.dataset.previews];
  const shown = field.previousElementSibling?.matches(".previewed") ? field.previousElementSibling : null;
  if (shown) {
    shown.remove();
  } else {
    const answer = await fetch(button.formAction, { method: "POST", body: new URLSearchParams(new FormData(button.form)) });
    const text = window.pageFrom(await answer.text()).getElementById("preview");
    if (!answer.ok || !text) { button.form.requestSubmit(button); return; }
    text.removeAttribute("id");
    text.classList.add("previewed");
    text.tabIndex = -1;
    field.before(text);
    text.focus();
  }
  field.hidden = !shown;
  button.textContent = shown ? "Preview" : "Write";
  if (shown) field.focus();
});

// A file that is chosen, pasted or dropped is stored with the project, and the text links to it.
async function attach(field, file) {
  const body = new FormData();
  body.set("authenticity_token", field.form.elements.authenticity_token.value);
  body.set(field.name, "");
  body.set("attachment", file);
  field.setAttribute("aria-busy", "true");
  const answer = await fetch(field.form.querySelector("[data-previews]").formAction, { method: "POST", body }).catch(() => null);
  const page = window.pageFrom((await answer?.text()) ?? "");
  field.removeAttribute("aria-busy");
  const link = page.getElementById("written")?.value.trim();
  if (link) {
    field.setRangeText(`${link}\n`, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input"));
    window.say("File attached.");
    return;
  }
  const line = document.createElement("p");
  line.className = "problem";
  line.setAttribute("role", "alert");
  line.textContent = page.querySelector(".problem, .fault h1")?.textContent ?? "The server is not responding.";
  field.after(line);
}

document.addEventListener("change", async (event) => {
  const { attaches } = event.target.dataset ?? {};
  if (!attaches || !event.target.files.length) return;
  await attach(event.target.form.elements[attaches], event.target.files[0]);
  event.target.value = "";
});

for (const kind of ["paste", "drop", "dragover"]) document.addEventListener(kind, (event) => {
  const given = event.clipboardData ?? event.dataTransfer;
  const field = event.target.closest?.("textarea");
  if (!given?.types.includes("Files") || !field?.form?.querySelector("[data-previews]") || !document.querySelector("[data-attaches]")) return;
  event.preventDefault();
  for (const file of given.files) attach(field, file);
});

// What was typed survives a reload, beside the text that it was typed over, and goes when it was sent (app.js).
function keep(field) {
  const key = `draft:${location.pathname}:${field.id}${field.dataset.keeps}`;
  const [typed, over] = JSON.parse(sessionStorage.getItem(key) ?? "[]");
  if (typed && field.value === over) {
    field.value = typed;
    const box = field.closest("details:not(.review-bar details)");
    if (box) box.open = true;
    if (over) window.say("Your unsaved text was restored.");
  }
  field.addEventListener("input", () => sessionStorage.setItem(key, JSON.stringify([field.value, field.defaultValue])));
  field.addEventListener("forget", () => sessionStorage.removeItem(key));
  field.form.addEventListener("submit", (event) => { if (!event.defaultPrevented) sessionStorage.setItem(`sent:${key}`, ""); });
}
// Who leaves a form by its own link has no use for it.
document.addEventListener("click", (event) => {
  const form = event.target.closest("form .actions a.button")?.closest("form");
  for (const field of form?.querySelectorAll("[data-kept]") ?? []) field.dispatchEvent(new Event("forget"));
});
const keepAll = () => { for (const field of document.querySelectorAll("[data-keeps]:not([data-kept])")) { field.dataset.kept = ""; keep(field); } };
keepAll();
document.addEventListener("inserted", keepAll);
