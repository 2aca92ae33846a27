// Names for the filters of a list: people, labels, milestones, branches. Without it they are typed whole.
const answers = new Map();  // by kind and words
const fixed = new Map();  // what a field offers in any case, such as None

function ask(form, kind, words) {
  const query = new URLSearchParams({ kind, search: words });
  const key = `${query}`;
  if (!answers.has(key)) {
    answers.set(key, fetch(`${form.dataset.namesAt}&${key}`).then((answer) => answer.ok ? answer.json() : { names: [] }).catch(() => {
      answers.delete(key);
      return { names: [] };
    }));
  }
  return answers.get(key);
}

// Of `bug, spe` the last name is completed; a name of the list is replaced whole.
function parts(field) {
  const comma = "many" in field.dataset ? field.value.lastIndexOf(",") : -1;
  const words = field.value.slice(comma + 1).trimStart();
  return { before: field.value.slice(0, field.value.length - words.length), words: words.trim() };
}

async function offer(field) {
  const { form, list, value } = field;
  const { before, words } = parts(field);
  if (!fixed.has(list)) fixed.set(list, [...list.children]);
  const first = await ask(form, field.dataset.offers, "");
  // Where there are more than fit, the server searches; not for each letter of a word.
  if (first.more && words) await new Promise((go) => setTimeout(go, 200));
  if (field.value !== value) return;
  const { names } = first.more && words ? await ask(form, field.dataset.offers, words) : first;
  if (field.value !== value) return;
  const given = before.split(",").map((name) => name.trim());
  const fresh = names.filter(([name]) => !given.includes(name)).map(([name, about]) => new Option(about, before + name));
  list.replaceChildren(...before ? [] : fixed.get(list), ...fresh);
}

const begin = (field) => { if (field?.dataset?.offers && field.list) offer(field); };
document.addEventListener("focusin", (event) => begin(event.target));
document.addEventListener("input", (event) => begin(event.target));
begin(document.activeElement);
