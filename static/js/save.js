/** Saving the conversation that is open, as files. */
import { byId } from "./dom.js";

/** @param {import("./conversations.js").Conversations} conversations */
export function offerSaving(conversations) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("save"));
  const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (dialog.querySelectorAll("[data-save]"));
  byId("save-button").addEventListener("click", () => {
    for (const link of links) link.href = `${conversations.base}${conversations.current}/${link.dataset.save}`;
    dialog.showModal();
  });
}
