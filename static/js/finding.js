/** The pages to search and to look through: `/` moves to their box. Everything else works without scripts. */
import { byId } from "./dom.js";
import { listenForKeys } from "./keys.js";

listenForKeys({ "/": () => byId("q").focus() });
