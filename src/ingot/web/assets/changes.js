// Changed files: more of their lines in their place, marks of those that were viewed, and where the reader is.

// More lines around the changes; what stands in sight stays where it is.
document.addEventListener("click", async (event) => {
  const link = event.target.closest(".diff .widen, .diff .file-bar a[href*='context=']");
  const file = link?.closest(".diff");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button || file.querySelector("#line-form")) return;
  event.preventDefault();
  const near = link.closest("tr");
  const line = near?.previousElementSibling?.id ? near.previousElementSibling : near?.nextElementSibling;
  const before = line?.getBoundingClientRect().top;
  link.setAttribute("aria-busy", "true");
  const answer = await fetch(link.href).catch(() => null);
  const fresh = answer?.ok && window.pageFrom(await answer.text()).getElementById(file.id);
  if (!fresh) { location.href = link.href; return; }
  file.querySelector(":scope > details").replaceWith(fresh.querySelector(":scope > details"));
  file.querySelector(":scope > details").open = true;
  const same = line?.id && document.getElementById(line.id);
  if (same) scrollBy({ top: same.getBoundingClientRect().top - before, behavior: "instant" });
  (file.querySelector(".widen") ?? file.querySelector(":scope > details > summary")).focus({ preventScroll: true });
  document.dispatchEvent(new Event("inserted"));
});

// The list of files names the one that is read.
const entries = new Map([...document.querySelectorAll("#changed-files a[href^='#']")].map((link) => [link.hash.slice(1), link]));
if (entries.size) {
  const seen = new Set();
  const watch = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) isIntersecting ? seen.add(target) : seen.delete(target);
    const first = [...document.querySelectorAll(".diff")].find((file) => seen.has(file));
    for (const [id, link] of entries) id === first?.id ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
  }, { rootMargin: "-8px 0px -60% 0px" });
  for (const file of document.querySelectorAll(".diff[id]")) watch.observe(file);
}

// Files of a diff that were viewed stay folded until their lines change.
for (const file of document.querySelectorAll(".diff[data-digest]:not([data-digest=''])")) {
  const key = `viewed:${location.pathname}:${file.id}`;
  const details = file.querySelector(":scope > details");
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = localStorage.getItem(key) === file.dataset.digest;
  label.className = "viewed";
  label.append(box, "Viewed");
  file.querySelector(".file-bar").append(label);
  if (box.checked && !file.querySelector("#line-form")) details.open = false;
  box.addEventListener("change", () => {
    box.checked ? localStorage.setItem(key, file.dataset.digest) : localStorage.removeItem(key);
    details.open = !box.checked;
  });
}

