/** The speed of a player, which the browser remembers. */
import { el } from "./dom.js";
import { LANGUAGE, gettext } from "./gettext.js";

const SPEEDS = [0.75, 1, 1.25, 1.5, 1.75, 2];
const KEY = "lectorium-speed";

export class Speed {
  /** @param {HTMLMediaElement} media */
  constructor(media) {
    this.media = media;
    this.element = el("select", { class: "speed", "aria-label": gettext("Speed"), on: { change: () => this.#set(Number(this.element.value)) } },
      ...SPEEDS.map((speed) => el("option", { value: speed, text: `${speed.toLocaleString(LANGUAGE)}×` })));
    this.#set(remembered());
  }

  /** @param {1|-1} by */
  step(by) {
    const at = SPEEDS.indexOf(this.media.defaultPlaybackRate) + by;
    if (at >= 0 && at < SPEEDS.length) this.#set(SPEEDS[at]);
  }

  /** @param {number} speed */
  #set(speed) {
    this.media.defaultPlaybackRate = speed; // also for the next recording
    this.media.playbackRate = speed;
    this.element.value = String(speed);
    try {
      localStorage.setItem(KEY, String(speed));
    } catch {} // a browser may forbid it; then the speed holds for this page
  }
}

/** @returns {number} */
function remembered() {
  try {
    const speed = Number(localStorage.getItem(KEY));
    return SPEEDS.includes(speed) ? speed : 1;
  } catch {
    return 1;
  }
}
