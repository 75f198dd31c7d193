/** The chat page: joins the question box, the line to the server, the answers and their sources. */
import { byId, isNarrow } from "./dom.js";
import { eventsOf } from "./format.js";
import { ChatSocket } from "./socket.js";
import { HttpStream } from "./stream.js";
import { Composer } from "./composer.js";
import { Conversations } from "./conversations.js";
import { Evidence } from "./evidence.js";
import { Feedback, targetKey } from "./feedback.js";
import { HoverCard } from "./citations.js";
import { Panel } from "./panel.js";
import { Player } from "./player.js";
import { TurnView } from "./turn-view.js";
import { listenForKeys, moveBetweenChips, playerKeys } from "./keys.js";
import { offerSaving } from "./save.js";
import { offerSharing } from "./share.js";
import { LOST, NOT_CONNECTED, RELOADED, standing } from "./words.js";

const log = byId("log");
const banner = byId("banner");
const help = /** @type {HTMLDialogElement} */ (byId("help"));
const composer = new Composer();
const { socket: socketPath = "", stream: streamPath = "", conversation = "", conversationUrl = "" } = composer.form.dataset;
const token = /** @type {HTMLFormElement} */ (byId("feedback"));
const socket = new ChatSocket(socketPath, new HttpStream(streamPath, String(new FormData(token).get("csrfmiddlewaretoken"))));
const player = new Player(byId("dock"));
const veil = byId("veil");
const drawer = new Panel(byId("conversations"), byId("drawer-button"), byId("drawer-close"), veil);
const sheet = new Panel(byId("evidence"), byId("evidence-button"), byId("evidence-close"), veil);
const evidence = new Evidence(player, sheet);
const hoverCard = new HoverCard(player);
const feedback = new Feedback(token);
const conversations = new Conversations(conversation || null, conversationUrl, token);
/** Where a question waits until the server has it, so that a reload does not lose it. */
const UNSENT_KEY = "lectorium-unsent";
/** Where what is typed waits for the next page of this tab, such as the same one in another language. */
const DRAFT_KEY = "lectorium-draft";
/** The turns on the page by their ids: what comes after an answer stands finds its turn. @type {Map<string, TurnView>} */
const views = new Map();
/** @type {TurnView|null} */
let current = null;
/** A question that was asked before the connection stood. @type {{question: string, mode: string, scope: string|null, as_typed?: boolean}|null} */
let waiting = null;
/** What the box held then: a reader who has changed it since wants something else. */
let boxThen = "";
/** Whether the reader pressed Stop while there was no connection. */
let isStopWanted = false;
/** What is said once the line stands. */
let greeting = "";

/** @param {string} question */
function addView(question) {
  const view = new TurnView(question, { evidence, hoverCard, feedback,
    ask: (text) => ask(composer.choices(text)),
    askAsTyped: (text) => ask({ ...composer.choices(text), as_typed: true }),
  });
  byId("empty").hidden = true;
  byId("heading").hidden = false;
  log.append(view.element);
  return view;
}

/** @param {TurnView|null} view */
function setCurrent(view) {
  current = view;
  isStopWanted = false;
  composer.setRunning(view !== null);
  log.setAttribute("aria-busy", String(view !== null));
}

/** @param {{question: string, mode: string, scope: string|null, as_typed?: boolean}} choices */
function ask(choices) {
  if (current) return;
  waiting = null;
  if (!socket.send({ type: "ask", ...choices, conversation: conversations.current })) {
    waiting = choices;
    composer.restore(choices.question);
    boxThen = composer.box.value;
    say(socket.hasEnded ? standing("ended") : NOT_CONNECTED);
    return;
  }
  if (composer.box.value.trim() === choices.question.trim()) composer.clear();
  sessionStorage.setItem(UNSENT_KEY, choices.question);
  const view = addView(choices.question);
  setCurrent(view);
  evidence.show(view);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  view.element.focus({ preventScroll: true }); // the box is left, so that single keys work
  view.element.scrollIntoView({ block: "start", behavior: still ? "instant" : "smooth" });
}

/** @param {import("./types.js").TurnEvent} event */
function receive(event) {
  if (event.type === "title") {
    if (views.has(event.turn)) conversations.rename(event.title);
    return;
  }
  // A turn begins with event 1: until it has, what has a higher number comes late from the turn before.
  const isOther = event.turn && (current?.turn ? event.turn !== current.turn : event.seq > 1);
  if (!current || isOther) {
    if (event.type === "suggestions") views.get(event.turn)?.apply(event);
    else if (event.type === "error" && !current) say(event.message);
    return;
  }
  sessionStorage.removeItem(UNSENT_KEY);
  if (event.turn) views.set(event.turn, current);
  if (event.conversation && !current.isListed) {
    current.isListed = true;
    conversations.open(event.conversation, current.question);
  }
  current.apply(event);
  if (event.type === "error") composer.restore(current.question);
  if (event.type !== "error" && event.type !== "done") return;
  setCurrent([...views.values()].find(({ running }) => running) ?? null);
  takeUp(); // another question of this conversation that still runs, asked in another tab
}

/** Take the turn up where it was left, or give the question back where the server never had it. */
function takeUp() {
  if (!current) return;
  if (current.turn) {
    socket.send({ type: "resume", turn: current.turn, after: current.seq });
    if (isStopWanted) socket.send({ type: "stop" });
    isStopWanted = false;
    return;
  }
  current.fail(LOST, false);
  composer.restore(current.question);
  setCurrent(null);
}

/** @param {string} words shown above the question box; none hides them @param {boolean} [retry] whether trying now may help */
function say(words, retry = false) {
  byId("banner-words").textContent = words;
  byId("banner-retry").hidden = !retry;
  banner.hidden = !words;
}

function stop() {
  isStopWanted = current !== null && !socket.send({ type: "stop" });
}

function escape() {
  if (conversations.menu.matches(":popover-open")) return; // the browser closes it
  if (hoverCard.isOpen) {
    hoverCard.hide();
    if (composer.box !== document.activeElement) return; // a card may linger after the reader went on to the box
  }
  if (sheet.close() || drawer.close()) return;
  if (composer.leave()) log.focus({ preventScroll: true });
  if (current) stop();
  else evidence.unpin();
}

/** To the source before or after, while the focus is on the open source; else to the chip. @param {1|-1} by */
function moveToCitation(by) {
  if (byId("evidence-body").contains(document.activeElement) && evidence.pinned) evidence.step(by);
  else moveBetweenChips(log, by);
}

/** Show the page as before the first question: the conversation was deleted. */
function clearThread() {
  stop();
  setCurrent(null);
  for (const turn of log.querySelectorAll(".turn")) turn.remove();
  views.clear();
  evidence.clear();
  byId("empty").hidden = false;
  byId("heading").hidden = true;
}

function drawStored() {
  /** @type {TurnView|null} */
  let last = null;
  for (const stored of JSON.parse(byId("turns").textContent || "[]")) {
    const view = addView(stored.question);
    last = view;
    for (const said of stored.feedback ?? []) view.said.set(targetKey(said), said.kind);
    views.set(stored.turn, view);
    if (stored.outcome) for (const event of eventsOf(stored)) view.apply(event);
    else {
      view.turn = stored.turn;
      setCurrent(view);
    }
  }
  if (last) {
    evidence.show(last);
    if (!last.running) evidence.openFirst(last);
  }
  restoreTyped(last?.question);
  log.lastElementChild?.scrollIntoView({ block: "start" });
}

/** Put back what the page before held, unless it was asked. @param {string} [asked] the last question of this page */
function restoreTyped(asked) {
  const [unsent, draft] = [UNSENT_KEY, DRAFT_KEY].map((key) => {
    const kept = sessionStorage.getItem(key) ?? "";
    sessionStorage.removeItem(key);
    return kept.trim() === asked ? "" : kept;
  });
  if (unsent) greeting = RELOADED;
  composer.restore(unsent || draft);
}

socket.addEventListener("event", (event) => receive(/** @type {CustomEvent} */ (event).detail));
socket.addEventListener("state", (event) => {
  const { state, seconds } = /** @type {CustomEvent} */ (event).detail;
  if (state !== "open") return say(standing(state, seconds, current !== null), state === "waiting" || state === "offline");
  say(greeting);
  greeting = "";
  takeUp();
  if (waiting && composer.box.value === boxThen) ask(waiting);
});
addEventListener("pagehide", () => sessionStorage.setItem(DRAFT_KEY, composer.box.value));
composer.addEventListener("ask", (event) => ask(/** @type {CustomEvent} */ (event).detail));
composer.addEventListener("stop", stop);
byId("banner-retry").addEventListener("click", () => socket.tryNow());
byId("help-button").addEventListener("click", () => help.showModal());
byId("empty").addEventListener("click", (event) => {
  const example = /** @type {HTMLElement} */ (event.target).closest("[data-question]");
  if (!(example instanceof HTMLElement)) return;
  event.preventDefault(); // without this script it sends the form
  ask(composer.choices(example.dataset.question ?? ""));
});
conversations.addEventListener("closed", clearThread);
offerSaving(conversations);
offerSharing(conversations);
listenForKeys({
  "/": () => composer.focus(),
  "?": () => help.showModal(),
  "[": () => moveToCitation(-1),
  "]": () => moveToCitation(1),
  p: () => player.resumeOrPause(),
  ...playerKeys(player),
  Escape: escape,
});
drawStored();
socket.connect();
