/**
 * Owns that a conversation fits the model that is asked: what is older than its own length goes first, whole exchanges
 * at a time. What is asked now stays, whatever it takes; then the provider says that it is too long.
 */
import { type ModelMessage, type ModelRequest, windowed } from '@countersign/agent'

const bytesPerToken = 4
/** Tokens are estimated; so much is left free for what the estimate misses. */
const spare = 0.1

export function fitHistory(request: ModelRequest, context: number | null): ModelRequest {
  if (context === null) return request
  const fixed = fixedBytes(request) / bytesPerToken
  const room = Math.floor((context - request.maxOutputTokens - fixed) * (1 - spare))
  const messages = windowed(request.messages, Math.max(0, room), askedNow(request.messages))
  return messages.length === request.messages.length ? request : { ...request, messages }
}

/** The request without what may go. */
export function leastRequest(request: ModelRequest): ModelRequest {
  return { ...request, messages: request.messages.slice(-askedNow(request.messages)) }
}

/** How many messages stand at the end from the newest words of a person on. */
function askedNow(messages: readonly ModelMessage[]): number {
  const newest = messages.findLastIndex(({ role }) => role === 'user')
  return newest < 0 ? messages.length : messages.length - newest
}

function fixedBytes({ system, tools }: ModelRequest): number {
  return tools.reduce(
    (sum, tool) =>
      sum +
      Buffer.byteLength(tool.name) +
      Buffer.byteLength(tool.description) +
      Buffer.byteLength(JSON.stringify(tool.schema)),
    Buffer.byteLength(system),
  )
}
