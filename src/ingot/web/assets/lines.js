// Lines of files and logs: Shift takes several (`#L10-20`), the address keeps them, a button copies all.
let first = null;

function range() {
  const [, from, to] = location.hash.match(/^#L(\d+)(?:-L?(\d+))?$/) ?? [];
  return from ? [Number(from), Number(to ?? from)].sort((one, other) => one - other) : null;
}

function mark(scrolls) {
  for (const row of document.querySelectorAll("tr.marked")) row.classList.remove("marked");
  const lines = range();
  const permalink = document.querySelector("a[data-key=y]");
  if (permalink) permalink.hash = location.hash;
  for (let number = lines?.[0]; number <= Math.min(lines?.[1], lines?.[0] + 5000); number++) document.getElementById(`L${number}`)?.classList.add("marked");
  if (scrolls && lines && lines[1] > lines[0]) document.getElementById(`L${lines[0]}`)?.scrollIntoView({ block: "center" });
}

// A section of a log is folded to its first line; lines inside a folded one stay hidden.
function fold(button, isOpen) {
  button.setAttribute("aria-expanded", isOpen);
  const row = button.closest("tr");
  for (let line = row.nextElementSibling; line && Number(line.id.slice(1)) <= Number(button.dataset.folds); line = line.nextElementSibling) {
    const depth = Number(line.dataset.depth ?? 0) + (isOpen ? -1 : 1);
    line.dataset.depth = depth;
    line.hidden = depth > 0;
  }
}
for (const button of document.querySelectorAll("[data-folded]")) fold(button, false);

document.addEventListener("click", async (event) => {
  const folds = event.target.closest("[data-folds]");
  if (folds) { fold(folds, folds.getAttribute("aria-expanded") !== "true"); return; }
  const number = event.target.closest(".lines td > a[href^='#L']");
  if (number) {
    const line = Number(number.hash.slice(2));
    if (event.shiftKey && first !== null) {
      event.preventDefault();
      history.replaceState(null, "", `#L${Math.min(first, line)}-${Math.max(first, line)}`);
      mark(false);
    } else first = line;
    return;
  }
  const permalink = event.target.closest("[data-key=y]");
  if (permalink) permalink.hash = location.hash;
  const button = event.target.closest("[data-copies-lines]");
  if (!button) return;
  const text = [...document.querySelectorAll(`#${button.dataset.copiesLines} td:last-child`)].map((cell) => `${cell.textContent}\n`).join("");
  await window.copyText(text);
  button.textContent = "Copied";
});

first = range()?.[0] ?? null;
addEventListener("hashchange", () => mark(true));
mark(true);
