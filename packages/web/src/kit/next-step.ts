/** Owns what a page says about what to do after an error: what can be done there, never a command for a terminal. */
import { CountersignError } from '@countersign/contract'

/** Null where there is nothing to do on a page. Whoever helps finds the command by the code of the error. */
export function nextStep(error: Error): string | null {
  if (!(error instanceof CountersignError) || error.next === '') return null
  return /`countersign|--[a-z]/.test(error.next) ? null : error.next.replaceAll('`', '')
}
