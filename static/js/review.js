/** The review queue by keyboard: decide, mark wrong sentences, write a note. The page works without it. */
import { byId } from "./dom.js";
import { listenForKeys } from "./keys.js";

const note = /** @type {HTMLInputElement} */ (byId("note"));
const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[name=sentence]"));
const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-key]"));

/** @type {Record<string, (event: KeyboardEvent) => void>} */
const actions = {
  n: () => note.focus(),
  o: () => /** @type {HTMLAnchorElement} */ (byId("whole-turn")).click(),
  Escape: () => note.blur(),
};
for (const button of buttons) actions[/** @type {string} */ (button.dataset.key)] = () => button.click();
boxes.forEach((box, place) => {
  if (place < 9) actions[String(place + 1)] = () => { box.checked = !box.checked; };
});
listenForKeys(actions);

// Return in the note must not press the first button: a decision is always pressed by name.
note.addEventListener("keydown", (event) => {
  if (event.key === "Enter") { event.preventDefault(); note.blur(); }
});
