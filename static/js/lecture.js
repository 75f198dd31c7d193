/**
 * The lecture page: `#t=a,b`, or a timed paragraph's own anchor, opens the words there and plays them where it can. Its
 * player remembers its speed, and keys lead through the recording and the places found.
 */
import { LEAD_IN_SECONDS, clock, parseMediaFragment } from "./format.js";
import { byId, el } from "./dom.js";
import { fill, gettext } from "./gettext.js";
import { listenForKeys, playerKeys } from "./keys.js";
import { PlaceSteps } from "./place-steps.js";
import { Speed } from "./speed.js";
import { COPIED, UNPLAYABLE } from "./words.js";

const audio = /** @type {HTMLAudioElement|null} */ (document.getElementById("audio"));
const phrases = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#transcript [data-start]")]);
const fault = byId("moment-fault");
const help = /** @type {HTMLDialogElement} */ (byId("help"));
const places = new PlaceSteps(byId("main"));
const speed = audio && new Speed(audio);
/** @type {number|null} */
let stopAt = null;

/** @param {HTMLElement} phrase */
const spanOf = ({ dataset }) => ({ start: Number(dataset.start), end: Number(dataset.end) });

/** @returns {number} where the lecture ends, in seconds, as far as is known; 0 where it is not */
function lastSecond() {
  const spoken = Math.max(0, ...phrases.map((phrase) => spanOf(phrase).end));
  const recorded = audio && Number.isFinite(audio.duration) ? audio.duration : Number(byId("transcript").dataset.seconds ?? 0);
  return Math.max(spoken, recorded);
}

/** @param {{start: number, end: number|null}} moment @returns {HTMLElement[]} the phrases spoken in it */
function spokenIn({ start, end }) {
  const inside = phrases.filter((phrase) => {
    const span = spanOf(phrase);
    return end === null ? span.start <= start && start < span.end : span.start < end && span.end > start;
  });
  if (inside.length) return inside;
  const before = phrases.filter((phrase) => spanOf(phrase).start <= start);
  return before.slice(-1);
}

/** @returns {{start: number, end: null}|null} where the paragraph that the address names begins */
function paragraphStart() {
  const place = /** @type {HTMLElement|null} */ (document.querySelector(".paragraph:target a.place[data-at]"));
  return place && { start: Number(place.dataset.at), end: null };
}

/** @returns {{start: number, end: number|null}|null} what the address names; null, with a sentence, beyond the end */
function momentNamed() {
  const moment = parseMediaFragment(location.hash);
  const last = lastSecond();
  const isBeyond = Boolean(moment && last && moment.start >= last);
  fault.hidden = !isBeyond;
  if (moment && isBeyond) fault.textContent = fill(gettext("This lecture ends at {end}, so there is no {time} in it."), { end: clock(last), time: clock(moment.start) });
  return isBeyond ? null : moment;
}

/** Show and, where there is a recording, seek to what the address names. @param {boolean} play */
function openFragment(play) {
  const named = paragraphStart();
  const moment = named ?? momentNamed();
  const place = /^#found-(\d+)$/.exec(location.hash);
  if (place) places.show(Number(place[1]));
  for (const phrase of phrases) phrase.classList.remove("quoted");
  if (!moment) return;
  fault.hidden = true;
  const spoken = spokenIn(moment);
  if (!named) {
    for (const phrase of spoken) phrase.classList.add("quoted");
    spoken[0]?.scrollIntoView({ block: "center" }); // to a paragraph the browser goes by itself
  }
  if (!audio) return;
  audio.currentTime = Math.max(0, moment.end === null ? moment.start : moment.start - LEAD_IN_SECONDS);
  stopAt = moment.end;
  if (play) audio.play().catch(() => {}); // a browser may insist on a press of its own button
}

function follow() {
  if (!audio) return;
  const now = audio.currentTime;
  for (const phrase of phrases) {
    const { start, end } = spanOf(phrase);
    phrase.classList.toggle("spoken", !audio.paused && start <= now && now < end);
  }
  if (stopAt !== null && now >= stopAt) {
    stopAt = null;
    audio.pause();
  }
}

/** A recording that cannot be played leaves a sentence in its player's place. */
function dropPlayer() {
  if (!audio?.isConnected) return; // its fault was seen before, and is told once more
  if (!navigator.onLine) return addEventListener("online", loadAgain, { once: true });
  audio.pause();
  byId("listen").replaceWith(el("p", { class: "listen quiet", role: "status", text: UNPLAYABLE }));
}

/** Load what failed while the network was away, to go on where it stood. */
function loadAgain() {
  if (!audio) return;
  const { currentTime } = audio;
  audio.load();
  audio.currentTime = currentTime;
}

/** Beside the browser's own player: its speed, and a link to the moment at which it stands. @param {HTMLAudioElement} player */
function offerMore(player) {
  const said = el("span", { class: "quiet", role: "status" });
  const copy = async () => {
    const url = new URL(location.pathname, location.href);
    url.hash = `t=${Math.floor(player.currentTime)}`;
    history.replaceState(null, "", url); // so the link stands in the address too, where copying is not allowed
    try {
      await navigator.clipboard.writeText(url.href);
      said.textContent = COPIED;
    } catch {
      said.textContent = gettext("The link is in the address of this page.");
    }
  };
  byId("listen").append(el("div", { class: "listen-more" }, speed?.element,
    el("button", { class: "button small", type: "button", text: gettext("Link to this moment"), on: { click: copy } }), said));
}

/** What the keys lead. */
const player = audio && speed && {
  speed,
  get isReady() {
    return audio.isConnected;
  },
  resumeOrPause: () => (audio.paused ? void audio.play().catch(() => {}) : audio.pause()),
  skip: (/** @type {number} */ seconds) => {
    audio.currentTime = Math.max(0, audio.currentTime + seconds);
  },
};

addEventListener("hashchange", () => openFragment(true));
document.getElementById("transcript")?.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a.place");
  if (link?.getAttribute("href") === location.hash) openFragment(true); // the same place again changes no hash
});
audio?.addEventListener("error", dropPlayer);
audio?.addEventListener("timeupdate", follow);
audio?.addEventListener("pause", follow);
audio?.addEventListener("seeking", () => {
  if (stopAt !== null && audio.currentTime > stopAt) stopAt = null; // the listener went on past the quote
});
byId("help-button").hidden = false;
byId("help-button").addEventListener("click", () => help.showModal());
listenForKeys({
  "/": () => byId("q").focus(),
  "?": () => help.showModal(),
  "[": () => places.step(-1),
  "]": () => places.step(1),
  ...(player ? playerKeys(player) : {}),
});
if (audio?.error) dropPlayer(); // before there was anyone to hear of it
else if (audio) offerMore(audio);
openFragment(false);
if (!location.hash) places.show(1);
