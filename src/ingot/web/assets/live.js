// A page that says where its changes are told takes over the parts that changed.

// What was typed and ticked in a part that is renewed.
function takeOver(part, other) {
  for (const field of part.querySelectorAll("textarea, input:not([type=hidden])")) {
    if (field.value === field.defaultValue && field.checked === field.defaultChecked) continue;
    const same = [...other.querySelectorAll(field.localName)].find((one) => one.name === field.name);
    if (!same) continue;
    same.value = field.value;
    same.checked = field.checked;
    const box = same.closest("details");
    if (box) box.open = true;
  }
}

const live = document.querySelector("[data-live]");
const words = [...live.childNodes];
let source = null;
const renew = async () => {
  const answer = await fetch(live.dataset.part ?? location.pathname + location.search);
  if (!answer.ok) return;
  const page = window.pageFrom(await answer.text());
  const line = page.getElementById("live-line");
  live.dataset.live = line?.dataset.live ?? live.dataset.live;
  live.hidden = line?.hidden ?? false;
  const lines = document.getElementById("log-lines");
  const fresh = page.getElementById("log-lines");
  // Who sees the last line goes on seeing it; whoever reads elsewhere stays there.
  const last = () => [...lines?.getElementsByClassName("line") ?? []].at(-1);
  const follows = last()?.getBoundingClientRect().top < innerHeight;
  for (const part of document.querySelectorAll("[id^=live-]")) {
    if (part.id === "live-line" || (part.id === "live-log" && lines && fresh)) continue;
    const other = page.getElementById(part.id);
    if (!other || other.innerHTML === part.innerHTML) continue;
    // What somebody is filling in stays until they go on.
    if (part.contains(document.activeElement)) { document.activeElement.addEventListener("blur", () => setTimeout(renew), { once: true }); continue; }
    takeOver(part, other);
    part.replaceWith(other);
    document.dispatchEvent(new Event("inserted"));
  }
  if (lines && fresh) window.takeLines(fresh, lines);
  if (follows) last()?.scrollIntoView({ block: "nearest" });
};
// Browsers have six connections to a server, for all tabs together: a tab that nobody sees leaves its own to the others.
const watch = () => {
  source?.close();
  if (document.hidden || !live.isConnected) return;
  source = new EventSource(live.dataset.live);
  live.replaceChildren("This page updates automatically.");
  // Refused for good, as with too many pages open at once: the line says again how to see more.
  source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) live.replaceChildren(...words); });
  source.addEventListener("over", () => { source.close(); live.remove(); });
  source.addEventListener("changed", renew);
};
document.addEventListener("visibilitychange", watch);
watch();
