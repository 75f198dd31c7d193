/**
 * For a page of another site: puts the question box in a frame after this script, or into what data-into selects.
 *
 *     <script async src="https://HOST/static/js/embed.js"></script>
 *
 * Not a module, so that it knows its own element. docs/integrators.md describes its attributes and its event.
 */
(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const LEAD_IN_SECONDS = 2; // as on our own pages
  const [LEAST, MOST] = [80, 20000]; // pixels of height
  const site = new URL(script.src).origin;
  const { into = "", scope = "", theme = "", title = "Lectorium" } = script.dataset;

  const address = new URL("/embed/", site);
  address.searchParams.set("origin", location.origin);
  if (theme) address.searchParams.set("theme", theme);
  if (scope) address.searchParams.set("scope", scope);
  const frame = document.createElement("iframe");
  frame.src = address.href;
  frame.title = title;
  frame.allow = "autoplay";
  Object.assign(frame.style, { display: "block", width: "100%", height: "12rem", border: "0" });

  /** Stops the recording that plays at the end of the quote. @type {(() => void)|null} */
  let stopWatching = null;

  function putIn() {
    const place = into ? document.querySelector(into) : null;
    if (place) place.append(frame);
    else if (script.isConnected && !document.head.contains(script)) script.after(frame);
    else document.body.append(frame);
  }

  /** @param {{lecture: string, start: number, end: number|null}} moment @returns {boolean} whether this page plays it */
  function playOwn({ lecture, start, end }) {
    const recording = [...document.querySelectorAll("audio[data-lectorium], video[data-lectorium]")].find(
      (media) => /** @type {HTMLElement} */ (media).dataset.lectorium === lecture,
    );
    if (!(recording instanceof HTMLMediaElement)) return false;
    stopWatching?.();
    const watch = () => {
      if (end === null || recording.currentTime < end) return;
      recording.pause();
      stopWatching?.();
    };
    stopWatching = () => recording.removeEventListener("timeupdate", watch);
    recording.currentTime = Math.max(0, start - LEAD_IN_SECONDS);
    recording.addEventListener("timeupdate", watch);
    recording.play().catch(() => {}); // a browser may insist on a press of its own button
    recording.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** @param {any} said @returns {any} the moment that our frame asks to play; null where it is malformed */
  function momentOf(said) {
    const texts = [said.lecture, said.address, said.title, said.url];
    if (!texts.every((text) => typeof text === "string") || !Number.isFinite(said.start)) return null;
    const [lecture, place, name, url] = texts;
    return { lecture, address: place, title: name, url, start: said.start, end: Number.isFinite(said.end) ? said.end : null };
  }

  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== site || source !== frame.contentWindow || typeof data !== "object" || !data) return;
    if (data.lectorium === "height" && Number.isFinite(data.height)) {
      frame.style.height = `${Math.min(MOST, Math.max(LEAST, Math.ceil(data.height)))}px`;
    }
    if (data.lectorium !== "play") return;
    const moment = momentOf(data);
    if (!moment) return;
    const asked = new CustomEvent("lectorium:play", { bubbles: true, cancelable: true, detail: moment });
    const isPlayed = !frame.dispatchEvent(asked) || playOwn(moment);
    frame.contentWindow?.postMessage({ lectorium: "played", id: data.id, isPlayed }, site);
  });

  if (document.readyState === "loading") addEventListener("DOMContentLoaded", putIn);
  else putIn();
})();
