// Security keys (WebAuthn): the browser asks a key, and the form carries the answer.
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const named = (keys) => (keys ?? []).map((key) => ({ ...key, id: bytes(key.id) }));

async function create(options) {
  const user = { ...options.user, id: bytes(options.user.id) };
  const publicKey = { ...options, user, challenge: bytes(options.challenge), excludeCredentials: named(options.excludeCredentials) };
  return navigator.credentials.create({ publicKey });
}

async function request(options) {
  const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials: named(options.allowCredentials) };
  return navigator.credentials.get({ publicKey });
}

function written(key) {
  const response = { clientDataJSON: text(key.response.clientDataJSON) };
  for (const part of ["attestationObject", "authenticatorData", "signature"]) {
    if (key.response[part]) response[part] = text(key.response[part]);
  }
  return JSON.stringify({ id: key.id, rawId: text(key.rawId), type: key.type, response });
}

for (const form of document.querySelectorAll("[data-key-creation], [data-key-request]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const problem = form.querySelector("[role=alert]");
    problem.hidden = true;
    try {
      const { keyCreation, keyRequest } = form.dataset;
      const key = keyCreation ? await create(JSON.parse(keyCreation)) : await request(JSON.parse(keyRequest));
      form.querySelector("[data-key-answer]").value = written(key);
      form.submit();
    } catch (error) {
      problem.textContent = `The security key did not respond: ${error.message ?? error}`;
      problem.hidden = false;
    }
  });
}
