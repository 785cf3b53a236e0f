/** The only way in which words of a model, a file or a gateway reach the terminal. */
import { forDisplay, LONG_DISPLAY } from '@countersign/contract'

/** On one line: line breaks become visible escapes too. */
export function line(text: string): string {
  return isPlain(text) ? text : forDisplay(text).text
}

/** Over several lines. */
export function lines(text: string): string {
  return forDisplay(text, { multiline: true }).text
}

/** The words of a stranger in a sentence of ours, which they cannot end. */
export function quote(text: string): string {
  return `“${line(text).replaceAll(quotes, "'")}”`
}

/** Whatever a reader could take for the end of the quotation. */
const quotes = /["“”„‟〝〞〟＂«»]/gu

/** Printable ASCII with single blanks, in which nothing can be hidden. Making the sanitiser ready takes longer than most commands. */
function isPlain(text: string): boolean {
  return text.length <= LONG_DISPLAY && /^(?: ?[!-~])*$/.test(text)
}
