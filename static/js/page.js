/** The chat page: joins the question box, the line to the server, the answers and their sources. */
import { byId, isNarrow } from "./dom.js";
import { eventsOf } from "./format.js";
import { ChatSocket } from "./socket.js";
import { Composer } from "./composer.js";
import { Conversations } from "./conversations.js";
import { Evidence } from "./evidence.js";
import { Feedback, targetKey } from "./feedback.js";
import { HoverCard } from "./citations.js";
import { Panel } from "./panel.js";
import { Player } from "./player.js";
import { TurnView } from "./turn-view.js";
import { listenForKeys, moveBetweenChips } from "./keys.js";
import { offerSaving } from "./save.js";
import { offerSharing } from "./share.js";
import { LOST, NOT_CONNECTED, STANDINGS } from "./words.js";

const log = byId("log");
const banner = byId("banner");
const help = /** @type {HTMLDialogElement} */ (byId("help"));
const composer = new Composer();
const { socket: socketPath = "", conversation = "", conversationUrl = "", locale = "en" } = composer.form.dataset;
const socket = new ChatSocket(socketPath);
const player = new Player(byId("dock"));
const veil = byId("veil");
const drawer = new Panel(byId("conversations"), byId("drawer-button"), byId("drawer-close"), veil);
const sheet = new Panel(byId("evidence"), byId("evidence-button"), byId("evidence-close"), veil);
const evidence = new Evidence(player, sheet);
const hoverCard = new HoverCard(player);
const feedback = new Feedback(/** @type {HTMLFormElement} */ (byId("feedback")));
const conversations = new Conversations(conversation || null, conversationUrl);
/** @type {TurnView|null} */
let current = null;
/** A question that was asked before the connection stood. @type {{question: string, mode: string, scope: string|null, as_typed?: boolean}|null} */
let waiting = null;

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
  composer.setRunning(view !== null);
  log.setAttribute("aria-busy", String(view !== null));
}

/** @param {{question: string, mode: string, scope: string|null, as_typed?: boolean}} choices */
function ask(choices) {
  if (current) return;
  waiting = null;
  if (!socket.send({ type: "ask", ...choices, locale, conversation: conversations.current })) {
    waiting = choices;
    composer.restore(choices.question);
    say(NOT_CONNECTED);
    return;
  }
  composer.clear();
  if (isNarrow()) composer.box.blur(); // a keyboard on the screen would cover the answer
  const view = addView(choices.question);
  setCurrent(view);
  evidence.show(view);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  view.element.scrollIntoView({ block: "start", behavior: still ? "instant" : "smooth" });
}

/** @param {import("./types.js").TurnEvent} event */
function receive(event) {
  if (!current) {
    if (event.type === "error") say(event.message);
    return;
  }
  if (current.turn && event.turn && event.turn !== current.turn) return;
  if (event.conversation) conversations.open(event.conversation, current.question);
  if (event.type === "title") conversations.rename(event.title);
  current.apply(event);
  if (event.type === "error") composer.restore(current.question);
  if (event.type === "error" || event.type === "done") setCurrent(null);
}

/** Take the turn up where it was left, or give the question back where the server never had it. */
function takeUp() {
  if (!current) return;
  if (current.turn) {
    socket.send({ type: "resume", turn: current.turn, after: current.seq });
    return;
  }
  current.fail(LOST, false);
  composer.restore(current.question);
  setCurrent(null);
}

/** @param {string} words shown above the question box; none hides them */
function say(words) {
  banner.textContent = words;
  banner.hidden = !words;
}

function stop() {
  if (current) socket.send({ type: "stop" });
}

function escape() {
  if (hoverCard.isOpen) hoverCard.hide();
  else if (!sheet.close() && !drawer.close() && !evidence.unpin()) stop();
}

function drawStored() {
  /** @type {TurnView|null} */
  let last = null;
  for (const stored of JSON.parse(byId("turns").textContent || "[]")) {
    const view = addView(stored.question);
    last = view;
    for (const said of stored.feedback ?? []) view.said.set(targetKey(said), said.kind);
    if (stored.outcome) for (const event of eventsOf(stored)) view.apply(event);
    else {
      view.turn = stored.turn;
      setCurrent(view);
    }
  }
  if (last) evidence.show(last);
  log.lastElementChild?.scrollIntoView({ block: "start" });
}

socket.addEventListener("event", (event) => receive(/** @type {CustomEvent} */ (event).detail));
socket.addEventListener("state", (event) => {
  const state = /** @type {CustomEvent} */ (event).detail;
  say(STANDINGS[state] ?? "");
  if (state !== "open") return;
  takeUp();
  if (waiting && composer.box.value.trim() === waiting.question) ask(waiting);
});
composer.addEventListener("ask", (event) => ask(/** @type {CustomEvent} */ (event).detail));
composer.addEventListener("stop", stop);
byId("help-button").addEventListener("click", () => help.showModal());
byId("empty").addEventListener("click", (event) => {
  const example = /** @type {HTMLElement} */ (event.target).closest("[data-question]");
  if (example instanceof HTMLElement) ask(composer.choices(example.dataset.question ?? ""));
});
offerSaving(conversations);
offerSharing(conversations);
listenForKeys({
  "/": () => composer.focus(),
  "?": () => help.showModal(),
  "[": () => moveBetweenChips(log, -1),
  "]": () => moveBetweenChips(log, 1),
  p: () => player.resumeOrPause(),
  Escape: escape,
});
drawStored();
socket.connect();
