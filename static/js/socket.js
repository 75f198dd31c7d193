/**
 * The line to the server: a websocket, or an HTTP stream where websockets are blocked. It opens itself again when it drops,
 * and says how it stands.
 */

const WAITS_MS = [400, 1000, 2000, 4000, 8000, 15000];
/** The server's close code where the session has ended since. */
const SIGNED_OUT = 4401;
/** How long a websocket may take to open and to say that it delivers: some proxies accept one and stay silent. */
const READY_MS = 4000;
/** Failures in a row after which a websocket that has worked here before counts as blocked. */
const FAILURES = 3;
/** Set while this tab uses the stream, so that its next page does not try a websocket in vain. */
const STREAM_KEY = "lectorium-stream";

/** @typedef {{state: "open"|"connecting"|"waiting"|"offline"|"ended", seconds?: number}} Standing seconds: until the next try */

/** Emits "event" (detail: a server event) and "state" (detail: a Standing). */
export class ChatSocket extends EventTarget {
  /** @param {string} path @param {import("./stream.js").HttpStream} stream */
  constructor(path, stream) {
    super();
    this.url = new URL(path, location.href);
    this.url.protocol = this.url.protocol === "https:" ? "wss:" : "ws:";
    this.stream = stream;
    this.usesStream = sessionStorage.getItem(STREAM_KEY) !== null;
    this.isOpen = false;
    this.isConnecting = false;
    this.hasWorked = false;
    /** Whether the session has ended, so that only a reload helps. */
    this.hasEnded = false;
    this.tries = 0;
    this.timer = 0;
    addEventListener("online", () => this.connect());
    addEventListener("offline", () => this.#drop());
    stream.addEventListener("event", (event) => this.#tell("event", /** @type {CustomEvent} */ (event).detail));
    stream.addEventListener("ended", () => this.#end());
    stream.addEventListener("lost", () => { if (this.usesStream) this.#wait(); });
  }

  connect() {
    clearTimeout(this.timer);
    if (this.isOpen || this.isConnecting) return;
    this.isConnecting = true;
    if (this.usesStream) this.#probe();
    else this.#openSocket();
  }

  /** Connect without waiting any longer; asked for by the reader. */
  tryNow() {
    this.#tell("state", { state: "connecting" });
    this.connect();
  }

  /** @param {object} message @returns {boolean} whether it went out */
  send(message) {
    if (!this.isOpen) return false;
    if (this.usesStream) this.stream.send(message);
    else this.socket?.send(JSON.stringify(message));
    return true;
  }

  /** Give up the line: a network that is away cuts it without a word, and only a new one resumes. */
  #drop() {
    const { socket } = this;
    this.socket = undefined;
    if (socket) this.isConnecting = false; // a probe ends by itself
    socket?.close();
    this.stream.drop();
    this.#wait();
  }

  #openSocket() {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    const silent = setTimeout(() => closed(0), READY_MS);
    const closed = (/** @type {number} */ code) => {
      clearTimeout(silent);
      if (this.socket !== socket) return;
      this.socket = undefined;
      socket.close();
      this.#closed(code);
    };
    socket.addEventListener("close", ({ code }) => closed(code));
    socket.addEventListener("message", ({ data }) => {
      const event = this.socket === socket ? eventIn(data) : null;
      if (event?.type !== "ready") return event && this.#tell("event", event);
      clearTimeout(silent);
      this.hasWorked = true;
      this.#opened();
    });
  }

  /** @param {number} code */
  #closed(code) {
    this.isOpen = this.isConnecting = false;
    if (code === SIGNED_OUT) this.#end();
    else if (navigator.onLine && (!this.hasWorked || this.tries >= FAILURES)) this.#probe();
    else this.#wait();
  }

  /** Use the stream if it works: then it is websockets that are blocked, and not the server that is away. */
  async #probe() {
    this.isConnecting = true;
    const found = await this.stream.probe();
    this.isConnecting = false;
    if (found === "ended") return this.#end();
    this.usesStream = found === "open";
    if (!this.usesStream) {
      sessionStorage.removeItem(STREAM_KEY);
      return this.#wait();
    }
    sessionStorage.setItem(STREAM_KEY, "1");
    this.#opened();
  }

  #opened() {
    this.isOpen = true;
    this.isConnecting = this.hasEnded = false;
    this.tries = 0;
    this.#tell("state", { state: "open" });
  }

  #wait() {
    this.isOpen = false;
    clearTimeout(this.timer);
    const wait = WAITS_MS[Math.min(this.tries, WAITS_MS.length - 1)] * (0.75 + Math.random() / 2);
    this.tries += 1;
    this.#tell("state", navigator.onLine ? { state: "waiting", seconds: Math.ceil(wait / 1000) } : { state: "offline" });
    this.timer = setTimeout(() => this.connect(), wait);
  }

  #end() {
    this.isOpen = false;
    this.hasEnded = true;
    this.#tell("state", { state: "ended" });
  }

  /** @param {string} type @param {any} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** @param {string} data @returns {any} null where it is a proxy's error page, not one of ours */
function eventIn(data) {
  try {
    const event = JSON.parse(data);
    return event && typeof event.type === "string" ? event : null;
  } catch {
    return null;
  }
}
