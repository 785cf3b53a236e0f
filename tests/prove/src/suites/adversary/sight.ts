/** Owns what a model can tell from a request: what others have shown it, and how far its own run has come. */
import type { ModelRequest } from '@countersign/agent'

/** Its instructions, words of people and results; not its own calls. */
export function sightOf({ system, messages }: ModelRequest): string {
  const texts = messages.flatMap((message) => {
    if (message.role === 'user') return [message.text]
    return message.role === 'tool' ? message.results.map(({ text }) => text) : []
  })
  return [system, ...texts].join('\n')
}

/** How many turns of the run are over. Asked again for the same turn, a script gives the same answer. */
export function turnOf({ messages }: ModelRequest): number {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length
}
