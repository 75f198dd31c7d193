/** A column that becomes a drawer or a bottom sheet where there is no room for it beside the text. */

export class Panel {
  /**
   * @param {HTMLElement} element @param {HTMLElement|null} button that opens it, where there is one
   * @param {HTMLElement} closer inside it @param {HTMLElement} veil behind it
   */
  constructor(element, button, closer, veil) {
    this.element = element;
    this.button = button;
    this.closer = closer;
    this.veil = veil;
    /** @type {HTMLElement|null} */
    this.cameFrom = null;
    button?.addEventListener("click", () => (this.isOpen ? this.close() : this.open(button)));
    closer.addEventListener("click", () => this.close());
    veil.addEventListener("click", () => this.close());
  }

  /** Whether it covers the text now; beside the text it never does. */
  get isOpen() {
    return this.element.classList.contains("open");
  }

  /** @param {HTMLElement|null} cameFrom gets the focus back */
  open(cameFrom) {
    if (this.isOpen || !this.#covers()) return;
    this.cameFrom = cameFrom;
    this.element.classList.add("open");
    this.veil.hidden = false;
    this.button?.setAttribute("aria-expanded", "true");
    this.closer.focus();
  }

  /** @returns {boolean} whether there was something to close */
  close() {
    if (!this.isOpen) return false;
    this.element.classList.remove("open");
    this.veil.hidden = true;
    this.button?.setAttribute("aria-expanded", "false");
    (this.cameFrom ?? this.button)?.focus();
    return true;
  }

  #covers() {
    return getComputedStyle(this.closer).display !== "none";
  }
}
