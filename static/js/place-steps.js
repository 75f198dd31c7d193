/** Previous and next among the places that a search found in a lecture. */
import { fill, gettext } from "./gettext.js";

export class PlaceSteps {
  /**
   * @param {Element} root holds the list of places and the transcript with its marks
   * @param {(number: number) => void} [load] shows a place whose part of the transcript is not in the root
   */
  constructor(root, load) {
    this.root = root;
    this.load = load;
    this.count = /** @type {HTMLElement|null} */ (root.querySelector("#found-count"));
    this.total = Number(this.count?.dataset.total ?? 0);
    /** The number of the place shown, from 1; 0 before any. */
    this.at = 0;
    if (!this.total) return;
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("button[data-step]"))) {
      button.hidden = false;
      button.addEventListener("click", () => this.step(button.dataset.step === "1" ? 1 : -1));
    }
  }

  /** @param {1|-1} by @returns {boolean} whether there is a place */
  step(by) {
    const to = this.at + by;
    return this.show(to < 1 ? this.total : to > this.total ? 1 : to);
  }

  /** @param {number} number @returns {boolean} whether there is such a place */
  show(number) {
    if (number < 1 || number > this.total) return false;
    const mark = this.root.querySelector(`#found-${number}`);
    if (!mark) {
      this.load?.(number);
      return true;
    }
    for (const shown of this.root.querySelectorAll("mark.current")) shown.classList.remove("current");
    this.at = number;
    mark.classList.add("current");
    mark.scrollIntoView({ block: "center" });
    if (this.count) this.count.textContent = fill(gettext("{n} of {all}"), { n: number, all: this.total });
    return true;
  }
}
