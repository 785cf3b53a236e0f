/** Owns what is said where something would take the place of what is pinned. The executor refuses it as well. */
import type { CommandAnswer } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'

export function pinnedAnswer(name: string, command: string): CommandAnswer {
  return usage(
    `${line(name)} is pinned. Let it be updated with \`countersign extension unpin ${line(name)}\`.`,
    command,
  )
}
