/**
 * The interface language's words, from the catalogue that the page loads before its modules (templates/_words.html).
 * In English there is none, and every text stays as it is written here.
 */

/** @type {{gettext: (text: string) => string, ngettext: (one: string, many: string, n: number) => string}} */
export const { gettext, ngettext } = /** @type {any} */ (window).django;

/** The language of the page, for dates and numbers. */
export const LANGUAGE = document.documentElement.lang;

/** @param {string} text with {names} @param {Record<string, string|number>} values @returns {string} */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/gu, (whole, name) => String(values[name] ?? whole));
}
