/** The page of a drafted transcript: a line's time plays the recording from there. */
const audio = /** @type {HTMLAudioElement|null} */ (document.getElementById("audio"));
const times = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-start]")]);

/** Mark the line that is spoken now. */
function follow() {
  if (!audio) return;
  const { currentTime } = audio;
  const spoken = times.filter(({ dataset }) => Number(dataset.start) <= currentTime).at(-1);
  for (const time of times) time.toggleAttribute("data-spoken", time === spoken);
}

for (const time of times) {
  time.addEventListener("click", () => {
    if (!audio) return;
    audio.currentTime = Number(time.dataset.start);
    audio.play().catch(() => {}); // a browser may insist on a press of its own button
  });
}
audio?.addEventListener("timeupdate", follow);
