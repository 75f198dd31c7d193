/** The question box in another site's frame: tells that page its height, and asks it to play a moment. */
import { byId } from "./dom.js";
import { clock } from "./format.js";
import { fill, gettext } from "./gettext.js";
import { Player } from "./player.js";
import { NO_RECORDING, SEARCHING, UNSENT } from "./words.js";

const HOST_REPLIES_MS = 600;
const host = byId("main").dataset.host ?? "";
const player = new Player(byId("dock"));
player.name.target = "_blank"; // no page but this may stand in the frame
/** What waits to hear whether the other page plays it, by number. @type {Map<number, (isPlayed: boolean) => void>} */
const asked = new Map();
let count = 0;

/** @param {Record<string, any>} message */
function tell(message) {
  if (parent !== window) parent.postMessage(message, host);
}

/** @param {Record<string, any>} moment @returns {Promise<boolean>} whether the other page plays it */
function playThere(moment) {
  count += 1;
  const id = count;
  return new Promise((resolve) => {
    asked.set(id, resolve);
    setTimeout(() => resolve(false), HOST_REPLIES_MS);
    tell({ lectorium: "play", id, ...moment });
  }).finally(() => asked.delete(id));
}

/** @param {HTMLElement} button */
function sourceOf({ dataset }) {
  const { lecture = "", address = "", title = "", url = "", media = "", start, end } = dataset;
  return /** @type {const} */ ({
    n: null, kind: "lecture", lecture, address, title, url, media: media || null, start: Number(start), end: end ? Number(end) : null,
  });
}

/** Play a quote's moment on the other page, else here. @param {HTMLElement} button */
async function play(button) {
  const source = sourceOf(button);
  if (player.isPlaying(source)) return player.pause(source);
  const { lecture, address, title, url, start, end } = source;
  if (await playThere({ lecture, address, title, url, start, end })) return player.close();
  if (player.canPlay(source)) player.play(source);
  else say(NO_RECORDING);
}

/** @param {string} words */
function say(words) {
  byId("embed-standing").textContent = words;
}

function showButtons() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-lecture]"))) {
    button.hidden = false;
    const time = clock(Number(button.dataset.start));
    const label = player.isPlaying(sourceOf(button)) ? gettext("Pause") : fill(gettext("Play from {time}"), { time });
    if (button.textContent !== label) button.textContent = label;
  }
}

/** Send the question without cookies, and show the page that comes back. @param {HTMLFormElement} form */
async function ask(form) {
  const main = byId("main");
  if (main.getAttribute("aria-busy") === "true") return;
  main.setAttribute("aria-busy", "true");
  say(SEARCHING);
  try {
    const answer = await fetch(location.href, { method: "POST", body: new FormData(form), credentials: "omit" });
    const sent = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
    if (!sent || answer.status >= 500) throw new Error("This is no page of the frame.");
    main.replaceWith(document.importNode(sent, true));
    showButtons();
    const last = /** @type {HTMLElement|undefined} */ ([...document.querySelectorAll(".question")].at(-1));
    if (answer.ok && last) {
      last.tabIndex = -1;
      last.focus();
    } else byId("question").focus();
  } catch {
    main.setAttribute("aria-busy", "false");
    say(UNSENT);
  }
}

addEventListener("message", ({ origin, source, data }) => {
  if (origin !== host || source !== parent || data?.lectorium !== "played") return;
  asked.get(data.id)?.(data.isPlayed === true);
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(/** @type {HTMLFormElement} */ (event.target));
});
document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-lecture]"));
  if (button) play(button);
});
player.addEventListener("change", showButtons);
new ResizeObserver(() => tell({ lectorium: "height", height: document.documentElement.getBoundingClientRect().height })).observe(document.documentElement);
showButtons();
