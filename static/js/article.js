/** The page of an article. It works without scripts; with them, a citation opens its source beside the text. */
import { listenForKeys, playerKeys } from "./keys.js";
import { FoundPane } from "./found-pane.js";

const found = new FoundPane(".article-cite");

listenForKeys({
  "[": () => found.step(-1),
  "]": () => found.step(1),
  p: () => found.player.resumeOrPause(),
  ...playerKeys(found.player),
  Escape: () => found.close(),
});
