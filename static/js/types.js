/**
 * Shapes that travel between the server and the page; docs: "Events over the websocket".
 *
 * @typedef {object} Source A passage found or cited. Seconds are from the start of the recording.
 * @property {number|null} n Its number in the answer; null until it is cited.
 * @property {"lecture"|"verse"|"library"} kind
 * @property {string} address
 * @property {string} title
 * @property {string} [speaker]
 * @property {string} [date]
 * @property {string} [place]
 * @property {number|null} [start]
 * @property {number|null} [end]
 * @property {string} url Page of the transcript, at the quote.
 * @property {string|null} [media] Address of the recording.
 * @property {{text: string, language: string, origin: "machine"|"reviewed"}|null} [translated_title] The title in the reader's language.
 *
 * @typedef {Source & {n: number, quote: string, verdict: string, quoted?: boolean, proof?: string, language?: string}} Citation
 *
 * @typedef {object} Sentence
 * @property {string} text
 * @property {"factual"|"framing"|"outside"} kind "outside": general knowledge, in no source.
 * @property {string} verdict
 * @property {""|"quoted"|"verified"|"checked"} [proof] How it was proved; "" where it states nothing about the sources.
 * @property {boolean} [quoted] True where the words are the source's own.
 * @property {Citation[]} citations
 * @property {number} [paragraph] A new number begins a new paragraph.
 * @property {string} [block] The Markdown that begins its paragraph.
 * @property {""|"moved"|"suggested"} [repair] What the checks did to its citation.
 * @property {{kind: string, title: string, address: string, url: string}[]} [cards] Verses and chapters it points to.
 * @property {boolean} [clip] Part of a clip, which makes up its whole paragraph.
 * @property {boolean} [lead] The sentence of its clip that answers.
 * @property {boolean} [conflicting] True where another source says otherwise and nobody has decided between them.
 *
 * @typedef {{reason: string, found_in?: string, text?: string}} Withheld What was removed and why; no text where it may not be read.
 *
 * @typedef {{type: string, turn: string, seq: number} & Record<string, any>} TurnEvent
 *
 * @typedef {object} StoredTurn
 * @property {string} turn
 * @property {string} question
 * @property {string} outcome Empty while the turn is running.
 * @property {Record<string, any>} response
 * @property {string[]} [suggestions] Questions to ask next.
 * @property {{kind: string, citation: number, claim: string}[]} [feedback] What the reader said of it.
 */

export {};
