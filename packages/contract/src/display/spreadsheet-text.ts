/** Owns how a text goes into a cell of a table for a spreadsheet, so that no program takes it for a formula. */

/** A program that opens the table takes what begins so for a formula, also behind blanks and in wide letters. */
export function spreadsheetText(text: string): string {
  return /^[\s\p{Cf}]*[=+\-@|%]/u.test(text.normalize('NFKC')) || /^[\t\r\n]/.test(text) ? `'${text}` : text
}
