/** Sharing the conversation that is open by a link, and revoking it. */
import { byId } from "./dom.js";
import { COPIED, COPY_BY_HAND, NOT_SHARED, REVOKED, SHARED } from "./words.js";

/** @param {import("./conversations.js").Conversations} conversations */
export function offerSharing(conversations) {
  const form = /** @type {HTMLFormElement} */ (byId("share-form"));
  const address = /** @type {HTMLInputElement} */ (byId("share-url"));
  const say = (/** @type {string} */ words) => { byId("share-standing").textContent = words; };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const action = /** @type {HTMLButtonElement} */ (event.submitter).value;
    try {
      const answer = await fetch(`${conversations.base}${conversations.current}/${action}`, { method: "POST", body: new FormData(form) });
      const { url = "", message = "" } = answer.ok || answer.status === 409 ? await answer.json() : { message: NOT_SHARED };
      if (message) return say(message);
      address.value = url;
      byId("share-address").hidden = !url;
      say(url ? SHARED : REVOKED);
      if (url) address.select();
      else /** @type {HTMLElement} */ (form.querySelector("[value=share]")).focus();
      byId("share-revoke").hidden = !url;
    } catch {
      say(NOT_SHARED);
    }
  });
  conversations.addEventListener("closed", () => { // what is shared of one conversation says nothing of the next
    address.value = "";
    say("");
    byId("share-address").hidden = byId("share-revoke").hidden = true;
  });
  byId("share-copy").addEventListener("click", async () => {
    address.select();
    try {
      await navigator.clipboard.writeText(address.value);
      say(COPIED);
    } catch {
      say(COPY_BY_HAND);
    }
  });
}
