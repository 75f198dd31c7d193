/** The pages to search and to look through. Everything on them works without scripts; with them, a passage opens beside the list. */
import { byId } from "./dom.js";
import { listenForKeys, playerKeys } from "./keys.js";
import { FoundPane } from "./found-pane.js";

const found = document.getElementById("pane") ? new FoundPane() : null;

listenForKeys({
  "/": () => byId("q").focus(),
  "[": () => found?.step(-1),
  "]": () => found?.step(1),
  p: () => found?.player.resumeOrPause(),
  ...(found ? playerKeys(found.player) : {}),
  Escape: () => found?.close(),
});
