/** The list of conversations: which one is open, and what it is called. */
import { byId, el } from "./dom.js";
import { shortTitle } from "./format.js";

export class Conversations {
  /** @param {string|null} current @param {string} base address that ids are appended to */
  constructor(current, base) {
    this.current = current;
    this.base = base;
    this.list = byId("conversation-list");
  }

  /**
   * The server has begun or gone on with this conversation: put it in the address and on top of the list.
   * @param {string} id @param {string} question names it until it has a title
   */
  open(id, question) {
    if (!id || id === this.current) return;
    this.current = id;
    history.replaceState(null, "", `${this.base}${id}/`);
    document.title = `${shortTitle(question, 60)} · Lectorium`;
    byId("conversations-none").hidden = true;
    byId("save-tools").hidden = false;
    const link = el("a", { href: `${this.base}${id}/`, "data-conversation": id, dir: "auto", "aria-current": "page", text: shortTitle(question, 80) });
    this.list.prepend(el("li", {}, link));
  }

  /** @param {string} title */
  rename(title) {
    document.title = `${title} · Lectorium`;
    for (const link of this.list.querySelectorAll("a")) {
      if (link.dataset.conversation === this.current) link.textContent = title;
    }
  }
}
