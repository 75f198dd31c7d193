/** Keys that work anywhere on the page; single keys rest while something is being written or chosen. */

const WRITING = "input, textarea, select, [contenteditable]";
/** What some keys already do something to while it has the focus. @type {Record<string, string>} */
const TAKEN = { " ": "a, button, summary, audio, video", ArrowLeft: "audio, video", ArrowRight: "audio, video" };
const SKIP_SECONDS = 5;

/**
 * Whether a key is a shortcut of the browser's. Option and AltGr, which Windows tells of as Control with Alt, are not
 * held for one where they write a sign: many layouts have `[` nowhere else.
 * @param {KeyboardEvent} event
 */
function isShortcut(event) {
  if (event.getModifierState("AltGraph")) return false;
  return event.ctrlKey || event.metaKey || (event.altKey && !/^[^\p{L}]$/u.test(event.key));
}

/**
 * @param {Record<string, (event: KeyboardEvent) => unknown>} actions by key, Escape among them; one that returns false
 *   leaves the key to the browser
 */
export function listenForKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (isShortcut(event) || event.isComposing) return;
    const target = /** @type {Element} */ (event.target);
    const action = actions[event.key];
    if (!action || document.querySelector("dialog[open]")) return;
    if (event.key !== "Escape" && (target.closest(WRITING) || (TAKEN[event.key] && target.closest(TAKEN[event.key])))) return;
    if (action(event) !== false && event.key !== "Escape") event.preventDefault();
  });
}

/**
 * Keys of a player, as its page's help lists them. While it has nothing to play they are the browser's.
 * @param {{isReady: boolean, resumeOrPause: () => void, skip: (seconds: number) => void, speed: import("./speed.js").Speed}} player
 */
export function playerKeys(player) {
  const whenReady = (/** @type {() => void} */ act) => () => player.isReady && act();
  const toggle = whenReady(() => player.resumeOrPause());
  return {
    " ": toggle,
    k: toggle,
    ArrowLeft: whenReady(() => player.skip(-SKIP_SECONDS)),
    ArrowRight: whenReady(() => player.skip(SKIP_SECONDS)),
    ",": whenReady(() => player.speed.step(-1)),
    ".": whenReady(() => player.speed.step(1)),
  };
}

/** Move to the citation before or after the one in focus. @param {HTMLElement} log @param {1|-1} step */
export function moveBetweenChips(log, step) {
  const chips = /** @type {HTMLElement[]} */ ([...log.querySelectorAll(".chip")]);
  if (!chips.length) return;
  const active = chips.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const pressed = chips.findIndex((chip) => chip.getAttribute("aria-pressed") === "true");
  const at = active >= 0 ? active : pressed;
  const next = at < 0 ? (step > 0 ? 0 : chips.length - 1) : (at + step + chips.length) % chips.length;
  chips[next].focus();
  chips[next].scrollIntoView({ block: "nearest" });
}
