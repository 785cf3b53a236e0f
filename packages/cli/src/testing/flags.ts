/** The flags of a command that was given none. */
import type { GlobalFlags } from '../context.ts'

export const usualFlags: GlobalFlags = {
  json: false,
  plain: false,
  colour: false,
  quiet: false,
  verbose: false,
  yes: false,
  url: undefined,
  waitMs: undefined,
}
