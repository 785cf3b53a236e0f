/** Owns what was asked as one line: line ends are spaces, and nothing in it can steer how the rest is shown. */
import { forDisplay } from '@countersign/contract'

export function askedLine(asked: string): string {
  return forDisplay(asked.replace(/\s+/g, ' ').trim()).text
}
