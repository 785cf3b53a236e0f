/**
 * Owns what of a call another computer is told before the operator's word: what it needs to say what the call touches.
 * What would be written, shown or put in there goes with the permit only, so that a call that is denied told nothing of it.
 */
import type { JsonObject } from '@countersign/contract'

/** By tool: what stands in the place of each argument, of the least that its shape takes. */
const unsaid: Readonly<Record<string, JsonObject>> = {
  device_write_file: { content: '' },
  device_run_program: { stdin: '' },
  device_write_clipboard: { text: '-' },
  device_notify: { title: '-', text: '-' },
}

export function forLook(tool: string, args: JsonObject): JsonObject {
  const instead = Object.hasOwn(unsaid, tool) ? unsaid[tool] : undefined
  return instead ? { ...args, ...instead } : args
}
