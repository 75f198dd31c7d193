/** The line to the server over HTTP, where websockets are blocked: a message is posted, its events are streamed back. */

/** The server says something at least every ten seconds. */
const SILENCE_MS = 25_000;
const PROBE_MS = 6000;
const OVER = new Set(["done", "error"]);

/**
 * Emits "event" (detail: a server event), "lost" where a stream broke off before its turn had ended, and "ended" where the
 * session has.
 */
export class HttpStream extends EventTarget {
  /** @param {string} path @param {string} token against forgery */
  constructor(path, token) {
    super();
    this.path = path;
    this.token = token;
    /** The turn that runs, once an event has named it. @type {string|null} */
    this.turn = null;
    this.isStopWanted = false;
    /** The stream that is read, until its end. @type {AbortController|null} */
    this.reading = null;
  }

  /** @returns {Promise<"open"|"ended"|"down">} */
  async probe() {
    try {
      const { status } = await fetch(this.path, { cache: "no-store", signal: AbortSignal.timeout(PROBE_MS) });
      return status === 204 ? "open" : status === 403 ? "ended" : "down";
    } catch {
      return "down";
    }
  }

  /** @param {any} message of the socket's protocol */
  send(message) {
    if (message.type === "stop") {
      this.isStopWanted = true;
      this.#stopIfKnown();
    } else {
      if (this.reading) this.#leaveBehind(this.reading);
      this.turn = message.turn ?? null;
      this.isStopWanted = false;
      this.#follow(message);
    }
  }

  /** Give up the stream that is read, if any; a turn that runs is told of as lost. */
  drop() {
    this.reading?.abort();
  }

  /** The answer before stands; only its next questions are given up, which would move what comes now. @param {AbortController} reading */
  #leaveBehind(reading) {
    reading.abort();
    if (this.turn) this.#post({ type: "stop", turn: this.turn }).catch(() => {});
  }

  /** @param {object} message @returns {Promise<void>} */
  async #follow(message) {
    const parser = new EventParser();
    const aborting = new AbortController();
    this.reading = aborting;
    let timer = 0;
    let isOver = false;
    const beat = () => {
      clearTimeout(timer);
      timer = setTimeout(() => aborting.abort(), SILENCE_MS);
    };
    try {
      beat();
      const answer = await this.#post(message, aborting.signal);
      if (answer.status === 403) return this.#tell("ended");
      if (answer.ok && answer.body) {
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          beat();
          for (const event of parser.feed(part.value)) {
            if (event.type === "signed_out") return this.#tell("ended");
            isOver ||= OVER.has(event.type);
            this.#receive(event);
          }
        }
      }
    } catch {
      // cut, or silent for too long; the same as a stream that ends too early
    } finally {
      clearTimeout(timer);
      if (this.reading === aborting) this.reading = null;
    }
    if (!isOver) this.#tell("lost");
  }

  /** @param {any} event */
  #receive(event) {
    if (event.turn && event.type === "status") this.turn = event.turn;
    if (OVER.has(event.type) && event.turn === this.turn) this.isStopWanted = false;
    this.#stopIfKnown();
    this.#tell("event", event);
  }

  #stopIfKnown() {
    if (!this.isStopWanted || !this.turn) return;
    this.isStopWanted = false;
    this.#post({ type: "stop", turn: this.turn }).catch(() => {}); // a lost line stops the turn too, after a while
  }

  /** @param {object} message @param {AbortSignal} [signal] */
  #post(message, signal) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.token };
    return fetch(this.path, { method: "POST", headers, body: JSON.stringify(message), cache: "no-store", signal });
  }

  /** @param {string} type @param {any} [detail] */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** Reads server-sent events from pieces of text that are cut anywhere. */
export class EventParser {
  constructor() {
    this.rest = "";
  }

  /** @param {string} text @returns {any[]} the events that are complete with it */
  feed(text) {
    const blocks = (this.rest + text).split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap(eventIn);
  }
}

/** @param {string} block @returns {any[]} its event; none in a comment or in what is none of ours */
function eventIn(block) {
  if (!block.startsWith("data: ")) return [];
  try {
    const event = JSON.parse(block.slice("data: ".length));
    return typeof event?.type === "string" ? [event] : [];
  } catch {
    return [];
  }
}
