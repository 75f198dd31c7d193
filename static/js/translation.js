/** An answer in the language of the page, where its sources are in another and a model translates. */
import { byId, el } from "./dom.js";
import { LANGUAGE } from "./gettext.js";
import { BY_MACHINE, TRANSLATE_ANSWER, TRANSLATING, UNSENT } from "./words.js";

/** @param {string} [language] @returns {string} its first part: "en" of "en-gb" */
const base = (language = "") => language.split("-")[0];

/** @param {import("./turn-view.js").TurnView} view @returns {HTMLElement[]} a button and the place of the translation; nothing where none is needed */
export function translationRow(view) {
  const form = /** @type {HTMLFormElement|null} */ (document.getElementById("feedback"));
  const isForeign = [...view.used.values()].some(({ citation }) => base(citation.language) !== base(LANGUAGE));
  if (!form?.dataset.translation || !view.turn || !isForeign) return [];
  const place = el("div", { class: "translation", role: "status", lang: LANGUAGE, dir: "auto" });
  const button = el("button", { class: "button small", type: "button", text: TRANSLATE_ANSWER, on: { click: async () => {
    button.disabled = true;
    place.textContent = TRANSLATING;
    const { paragraphs, message } = await translated(String(form.dataset.translation), String(view.turn));
    button.disabled = false;
    button.hidden = Boolean(paragraphs);
    place.replaceChildren(...(paragraphs ?? []).map((text) => el("p", { text })), el("p", { class: "quiet", text: message ?? BY_MACHINE }));
  } } });
  return [el("div", { class: "copy-row" }, button), place];
}

/** @param {string} url @param {string} turn @returns {Promise<{paragraphs?: string[], message?: string}>} */
async function translated(url, turn) {
  const body = new FormData(/** @type {HTMLFormElement} */ (byId("feedback")));
  body.append("turn", turn);
  try {
    const answer = await fetch(url, { method: "POST", body });
    return answer.headers.get("Content-Type") === "application/json" ? await answer.json() : { message: UNSENT };
  } catch {
    return { message: UNSENT };
  }
}
