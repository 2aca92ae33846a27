// Lines of files and logs: Shift takes several (`#L10-20`), the address keeps them, a button copies all.
let first = null;

function range() {
  const [, from, to] = location.hash.match(/^#L(\d+)(?:-L?(\d+))?$/) ?? [];
  return from ? [Number(from), Number(to ?? from)].sort((one, other) => one - other) : null;
}

function mark(scrolls) {
  for (const row of document.querySelectorAll(".marked")) row.classList.remove("marked");
  const lines = range();
  const permalink = document.querySelector("a[data-key=y]");
  if (permalink) permalink.hash = location.hash;
  for (let number = lines?.[0]; number <= Math.min(lines?.[1], lines?.[0] + 5000); number++) document.getElementById(`L${number}`)?.classList.add("marked");
  const row = lines && document.getElementById(`L${lines[0]}`);
  // A line in folded sections of a log opens them.
  let opened = false;
  for (let box = row?.closest("details"); box; box = box.parentElement.closest("details")) { opened ||= !box.open; box.open = true; }
  if (scrolls && row && (lines[1] > lines[0] || opened)) row.scrollIntoView({ block: "center" });
}

// New lines of a log go behind those before them, into the section where these are; a section that ended has its time.
function takeLines(fresh, into) {
  let before = null;
  for (const row of [...fresh.children].filter((child) => child.id)) {
    if (row.localName === "summary") continue;
    const known = document.getElementById(row.id);
    if (known && row.matches(".section")) {
      known.querySelector("summary").replaceWith(row.querySelector("summary"));
      takeLines(row.querySelector("details"), known.querySelector("details"));
    } else if (!known && before) before.after(row);
    else if (!known) into.append(row);
    before = known ?? row;
  }
}

// A log that goes on: its last line may not have been whole, and the oldest leave a page that is too long.
window.takeLines = (fresh, lines) => {
  const all = lines.getElementsByClassName("line");
  all[all.length - 1]?.remove();
  takeLines(fresh, lines);
  for (; all.length > 20000; document.getElementById("log-left").hidden = false) {
    const section = all[0].closest(".section");
    all[0].remove();
    if (section && !section.querySelector(".line")) section.remove();
  }
};

document.addEventListener("click", async (event) => {
  const number = event.target.closest(".lines td > a[href^='#L'], .log a[href^='#L']");
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
  window.say("Copied.");
});

first = range()?.[0] ?? null;
addEventListener("hashchange", () => mark(true));
mark(true);
