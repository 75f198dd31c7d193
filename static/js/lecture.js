/** The lecture page: `#t=a,b`, or a timed paragraph's own anchor, opens the words there and plays them where it can. */
import { LEAD_IN_SECONDS, parseMediaFragment } from "./format.js";
import { el } from "./dom.js";
import { UNPLAYABLE } from "./words.js";

const audio = /** @type {HTMLAudioElement|null} */ (document.getElementById("audio"));
const phrases = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#transcript [data-start]")]);
/** @type {number|null} */
let stopAt = null;

/** @param {HTMLElement} phrase */
const spanOf = ({ dataset }) => ({ start: Number(dataset.start), end: Number(dataset.end) });

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

/** Show and, where there is a recording, seek to what the address names. @param {boolean} play */
function openFragment(play) {
  const named = paragraphStart();
  const moment = named ?? parseMediaFragment(location.hash);
  for (const phrase of phrases) phrase.classList.remove("quoted");
  if (!moment) return;
  const spoken = spokenIn(moment);
  for (const phrase of moment.end === null ? [] : spoken) phrase.classList.add("quoted");
  if (!named) spoken[0]?.scrollIntoView({ block: "center" }); // to a paragraph the browser goes by itself
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
  audio?.pause();
  audio?.parentElement?.replaceWith(el("p", { class: "listen quiet", role: "status", text: UNPLAYABLE }));
}

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
if (audio?.error) dropPlayer(); // before there was anyone to hear of it
openFragment(false);
