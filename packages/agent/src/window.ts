/**
 * Owns how much of a conversation a model is shown: the oldest goes first, whole exchanges at a time, until the rest
 * fits. Refuses to part a call from its results, and to drop anything of the current run.
 */
import type { ModelMessage } from './model-port.ts'

/** What a provider wraps around a call or a result, in characters. */
const aroundCall = 50
/** What a picture takes, in characters. */
const picture = 4_000
const charactersPerToken = 4

/** Pictures of one prompt: how many, and how many bytes of them together. */
export const promptPictures = { count: 8, bytes: 12_000_000 } as const

/** Four characters to a token: near enough to choose by, and counted in no time. */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + charactersOf(message), 0) / charactersPerToken)
}

/** The newest messages that fit the budget. The last `keepLast` stay, whatever they take. */
export function windowed(
  messages: readonly ModelMessage[],
  budgetTokens: number,
  keepLast: number,
): readonly ModelMessage[] {
  const most = budgetTokens * charactersPerToken
  const own = startOfExchange(messages, Math.max(0, messages.length - keepLast))
  let first = messages.length
  let taken = 0
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at] as ModelMessage
    taken += charactersOf(message)
    if (taken > most && at < own) break
    // A window begins with words of a person, or else with the current run.
    if (at <= own && (message.role === 'user' || at === own)) first = at
  }
  if (taken <= most || first === 0) return messages
  return messages.slice(first)
}

/** Takes pictures out of the messages, in place, the oldest first, until the rest fits into a prompt. */
export function dropOldPictures(messages: ModelMessage[]): void {
  let count = 0
  let bytes = 0
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at] as ModelMessage
    if (message.role !== 'user' || !message.images?.length) continue
    const { images, text } = message
    count += images.length
    bytes += images.reduce((sum, { base64 }) => sum + (base64.length / 4) * 3, 0)
    if (count <= promptPictures.count && bytes <= promptPictures.bytes) continue
    messages[at] = {
      role: 'user',
      text: `${text}\n[Newer pictures took their place: these are no longer shown.]`,
    }
  }
}

/** Where the exchange begins that this message is a part of: a result belongs to the reply that made the call. */
function startOfExchange(messages: readonly ModelMessage[], from: number): number {
  let at = from
  while (at > 0 && messages[at]?.role === 'tool') at -= 1
  return at
}

function charactersOf(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return message.text.length + (message.images?.length ?? 0) * picture
    case 'assistant':
      return message.calls.reduce(
        (sum, { name, args }) => sum + name.length + args.length + aroundCall,
        message.text.length,
      )
    case 'tool':
      return message.results.reduce((sum, { text }) => sum + text.length + aroundCall, 0)
  }
}
