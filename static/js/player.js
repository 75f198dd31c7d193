/** One recording at a time, from a little before a quote to its end. */
import { clock, playSpan, sourceKey, titleOf } from "./format.js";
import { el, icon, ownUrl } from "./dom.js";
import { gettext } from "./gettext.js";
import { Speed } from "./speed.js";
import { UNPLAYABLE } from "./words.js";

/** @typedef {import("./types.js").Source} Source */

const FADE_SECONDS = 0.6;

/** Emits "change" whenever what is played, or whether it plays, has changed. */
export class Player extends EventTarget {
  /** @param {HTMLElement} dock where it shows itself */
  constructor(dock) {
    super();
    this.dock = dock;
    this.audio = el("audio", { preload: "none" });
    /** @type {Source|null} */
    this.source = null;
    this.span = { start: 0, end: /** @type {number|null} */ (null) };
    /** Addresses that turned out not to be playable. @type {Set<string>} */
    this.unplayable = new Set();
    /** Where the focus was when what is played was chosen. @type {HTMLElement|null} */
    this.from = null;
    this.button = el("button", { class: "icon-button play", type: "button", on: { click: () => this.resumeOrPause() } });
    this.name = el("a", { class: "dock-title" });
    this.time = el("span", { class: "dock-time" });
    this.bar = el("progress", { max: 1, value: 0, "aria-label": gettext("How far the quote has been played") });
    this.fault = el("span", { class: "dock-fault", role: "status" });
    this.speed = new Speed(this.audio);
    this.#draw();
    for (const type of ["play", "pause", "ended"]) this.audio.addEventListener(type, () => this.#changed());
    this.audio.addEventListener("timeupdate", () => this.#ticked());
    this.audio.addEventListener("error", () => this.#failed());
    addEventListener("online", () => this.#tryAgain());
  }

  /** @param {Source} source @returns {boolean} whether there is a recording that could be played, as far as is known */
  canPlay(source) {
    const address = ownUrl(source.media);
    return playSpan(source) !== null && address !== null && !this.unplayable.has(address);
  }

  /** @param {Source} source @returns {boolean} */
  isPlaying(source) {
    return !this.audio.paused && this.source !== null && sourceKey(this.source) === sourceKey(source);
  }

  /** Play a quote's moment from its beginning; where it cannot be played, fall silent. @param {Source} source */
  play(source) {
    if (this.canPlay(source)) this.#start(source);
    else this.close();
  }

  /** Pause a quote's moment, if it is the one playing. @param {Source} source */
  pause(source) {
    if (this.isPlaying(source)) this.audio.pause();
  }

  /** Play a quote's moment, or pause it where it is the one playing. @param {Source} source */
  toggle(source) {
    if (this.source && sourceKey(this.source) === sourceKey(source)) this.resumeOrPause();
    else this.play(source);
  }

  /** Whether there is something to play or to pause. */
  get isReady() {
    return this.source !== null && this.canPlay(this.source);
  }

  /** Go on by so many seconds, or back. Who goes on past the quote hears the rest. @param {number} seconds */
  skip(seconds) {
    const to = Math.max(0, this.audio.currentTime + seconds);
    if (this.span.end !== null && to >= this.span.end) this.span = { ...this.span, end: null };
    this.audio.currentTime = to;
    this.audio.volume = 1;
    this.#show();
  }

  /** The `p` key. */
  resumeOrPause() {
    if (!this.source || !this.canPlay(this.source)) return;
    if (!this.audio.paused) this.audio.pause();
    else if (this.#isOver()) this.#start(this.source);
    else this.#play();
  }

  close() {
    const hadFocus = this.dock.contains(document.activeElement);
    this.audio.pause();
    this.source = null;
    this.dock.hidden = true;
    if (hadFocus) this.#giveFocusBack();
    this.#changed();
  }

  /** To where the moment was chosen; where that is gone by now, to the page. */
  #giveFocusBack() {
    this.from?.focus({ preventScroll: true });
    if (document.activeElement !== this.from) document.getElementById("main")?.focus({ preventScroll: true });
  }

  /** @param {Source} source */
  #start(source) {
    const span = playSpan(source);
    const address = ownUrl(source.media);
    if (!span || !address) return;
    this.source = source;
    this.span = span;
    if (!this.dock.contains(document.activeElement)) this.from = /** @type {HTMLElement|null} */ (document.activeElement);
    if (this.audio.getAttribute("src") !== address) this.audio.src = address;
    this.audio.currentTime = span.start;
    this.audio.volume = 1;
    this.dock.hidden = false;
    this.#play();
    this.#changed(); // from one moment of a recording to another nothing begins to play
  }

  #play() {
    this.audio.play().catch(() => {}); // what cannot be played has its own event; what may not start yet waits for a press
  }

  #isOver() {
    const { end } = this.span;
    return this.audio.ended || (end !== null && this.audio.currentTime >= end);
  }

  #ticked() {
    const { end } = this.span;
    if (end !== null && !this.audio.paused) {
      const left = end - this.audio.currentTime;
      this.audio.volume = Math.min(1, Math.max(0, left / FADE_SECONDS));
      if (left <= 0) {
        this.audio.pause();
        this.audio.volume = 1;
      }
    }
    this.#show();
  }

  #failed() {
    const address = ownUrl(this.source?.media);
    if (address) this.unplayable.add(address);
    this.#changed();
  }

  /** What failed while the network was away may be playable now. */
  #tryAgain() {
    this.unplayable.clear();
    if (!this.audio.error) return this.#changed();
    this.audio.removeAttribute("src"); // so that it is loaded anew
    this.close();
  }

  #draw() {
    const close = el("button", {
      class: "icon-button", type: "button", "aria-label": gettext("Close the player"), on: { click: () => this.close() },
    }, icon("close"));
    this.dock.append(this.audio, this.button, el("div", { class: "dock-words" }, this.name, this.time, this.bar, this.fault), this.speed.element, close);
  }

  #changed() {
    this.#show();
    this.dispatchEvent(new Event("change"));
  }

  #show() {
    if (!this.source) return;
    const plays = this.canPlay(this.source);
    this.button.hidden = this.time.hidden = this.bar.hidden = this.speed.element.hidden = !plays;
    this.fault.textContent = plays ? "" : UNPLAYABLE;
    const label = this.audio.paused ? gettext("Play") : gettext("Pause");
    if (this.button.getAttribute("aria-label") !== label) {
      this.button.replaceChildren(icon(this.audio.paused ? "play" : "pause"));
      this.button.setAttribute("aria-label", label);
    }
    const { start, end } = this.span;
    const last = end ?? (Number.isFinite(this.audio.duration) ? this.audio.duration : start + 1);
    this.name.textContent = titleOf(this.source).text;
    this.name.setAttribute("href", ownUrl(this.source.url) ?? "#");
    this.time.textContent = `${clock(this.audio.currentTime || start)} – ${clock(last)}`;
    this.bar.value = Math.min(1, Math.max(0, (this.audio.currentTime - start) / Math.max(0.1, last - start)));
  }
}
