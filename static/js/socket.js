/** The line to the server: opens itself again when it drops, and says how it stands. */

const WAITS_MS = [400, 1000, 2000, 4000, 8000, 15000];
/** The server's close code where the session has ended since. */
const SIGNED_OUT = 4401;

/**
 * Emits "event" (detail: a server event) and "state" (detail: "open" | "waiting" | "offline" | "ended").
 */
export class ChatSocket extends EventTarget {
  /** @param {string} path */
  constructor(path) {
    super();
    this.url = new URL(path, location.href);
    this.url.protocol = this.url.protocol === "https:" ? "wss:" : "ws:";
    this.tries = 0;
    this.timer = 0;
    addEventListener("online", () => this.connect());
    addEventListener("offline", () => this.#tell("state", "offline"));
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.timer);
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    this.socket = new WebSocket(this.url);
    this.socket.addEventListener("open", () => this.#opened());
    this.socket.addEventListener("message", ({ data }) => this.#received(data));
    this.socket.addEventListener("close", ({ code }) => this.#closed(code));
  }

  /** @param {object} message @returns {boolean} whether it went out */
  send(message) {
    if (!this.isOpen) return false;
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  #opened() {
    this.tries = 0;
    this.#tell("state", "open");
  }

  /** @param {string} data */
  #received(data) {
    let event;
    try {
      event = JSON.parse(data);
    } catch {
      return; // a proxy's error page, not one of ours
    }
    if (event && typeof event.type === "string") this.#tell("event", event);
  }

  /** @param {number} code */
  #closed(code) {
    if (code === SIGNED_OUT) return this.#tell("state", "ended");
    const wait = WAITS_MS[Math.min(this.tries, WAITS_MS.length - 1)] * (0.75 + Math.random() / 2);
    this.tries += 1;
    this.#tell("state", navigator.onLine ? "waiting" : "offline");
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** @param {string} type @param {any} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
