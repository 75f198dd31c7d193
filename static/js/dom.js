/** Small makers of nodes. Text goes in as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {{class?: string, text?: string, on?: Record<string, (event: any) => void>, [attribute: string]: any}} [given]
 *   Attributes by name; false, null and undefined leave one out.
 * @param {...(Node|string|null|undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, { class: names, text, on = {}, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  if (names) node.className = names;
  if (text !== undefined) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [type, listener] of Object.entries(on)) node.addEventListener(type, listener);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** @param {string} name of a symbol in icons.svg */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${document.body.dataset.icons}#${name}`);
  svg.append(use);
  return svg;
}

/** @param {string} id @returns {HTMLElement} which the page must have */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`The page has no #${id}.`);
  return node;
}

/** @param {string|null|undefined} url @returns {string|null} the address if it is on this site, else null */
export function ownUrl(url) {
  if (!url) return null;
  const address = new URL(url, location.href);
  return address.origin === location.origin ? address.pathname + address.search + address.hash : null;
}

/** @returns {boolean} whether the sources are a bottom sheet rather than a column */
export const isNarrow = () => !matchMedia("(min-width: 64rem)").matches;
