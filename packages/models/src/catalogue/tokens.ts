/**
 * Owns counting tokens: a count with the tokenizer of o200k_base, near enough for every model, and a bound that no
 * tokenizer passes. The tokenizer takes a quarter of a second and 75 MB to load, so it is loaded on the first count,
 * and the bound, which every call needs, does without it.
 */
import type { ModelMessage, ModelRequest } from '@countersign/agent'

/** What a provider wraps around a request, its messages, its calls and its tools, at most. */
const around = { request: 64, message: 16, call: 32, tool: 32, tools: 600, image: 4_000 }

/** Of a longer text only this many characters are counted. */
const countedWhole = 200_000
const samples = 8
/** A run without a space is one word to the tokenizer, whose work grows with the square of it. */
const longestRun = 400

/** Ordinary text throughout: words that a tokenizer reserves for itself, such as `<|endoftext|>`, are only text. */
export async function countTokens(text: string): Promise<number> {
  if (text === '') return 0
  const count = await loadCounter()
  if (text.length <= countedWhole) return countPieces(text, count)
  const length = Math.floor(countedWhole / samples)
  const step = (text.length - length) / (samples - 1)
  let counted = 0
  for (let sample = 0; sample < samples; sample++) {
    const from = Math.round(sample * step)
    counted += countPieces(text.slice(from, from + length), count)
  }
  return Math.ceil((counted / (length * samples)) * text.length)
}

/** Everything that is sent: the system text, the messages, the calls and replies in them, the tools. */
export async function countRequestTokens(request: ModelRequest): Promise<number> {
  const parts = partsOf(request)
  return parts.overhead + (await countTokens(parts.texts.join('\n')))
}

/** No fewer tokens than any tokenizer makes of the request. */
export function mostRequestTokens(request: ModelRequest): number {
  const parts = partsOf(request)
  // What stands between two texts is a token of its own at most.
  return parts.overhead + parts.texts.reduce((sum, text) => sum + mostTokens(text) + 1, 0)
}

/**
 * One for each byte. A token stands for a byte at least, with every tokenizer, so this holds whatever the text is and
 * whoever counts; a closer bound would hold for one tokenizer only. English prose and code have a token for four or
 * five bytes, JSON for three, so that much more than a usual request costs is set aside until it is settled. Some
 * tokenizers write compatibility characters out before they count: one character of three bytes can become 33.
 */
export function mostTokens(text: string): number {
  return Math.max(Buffer.byteLength(text), Buffer.byteLength(text.normalize('NFKC')))
}

interface RequestParts {
  readonly texts: readonly string[]
  readonly overhead: number
}

function partsOf(request: ModelRequest): RequestParts {
  const texts = [request.system]
  let overhead = around.request
  if (request.tools.length > 0) overhead += around.tools
  for (const tool of request.tools) {
    texts.push(tool.name, tool.description, JSON.stringify(tool.schema))
    overhead += around.tool
  }
  for (const message of request.messages) {
    texts.push(...textsOf(message))
    overhead += around.message + wrappedIn(message)
  }
  return { texts, overhead }
}

function textsOf(message: ModelMessage): string[] {
  switch (message.role) {
    case 'user':
      return [message.text]
    case 'assistant':
      return [message.text, ...message.calls.flatMap((call) => [call.id, call.name, call.args])]
    case 'tool':
      return message.results.flatMap((result) => [result.callId, result.name, result.text])
  }
}

function wrappedIn(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return (message.images?.length ?? 0) * around.image
    case 'assistant':
      return message.calls.length * around.call
    case 'tool':
      return message.results.length * around.call
  }
}

type Counter = (text: string) => number

async function loadCounter(): Promise<Counter> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base')
  return (text) => count(text, { disallowedSpecial: new Set() })
}

/** Cuts runs that are too long for the tokenizer; each cut adds one token at most. */
function countPieces(text: string, count: Counter): number {
  let counted = 0
  let from = 0
  for (const { index, 0: run } of text.matchAll(new RegExp(`\\S{${longestRun},}|\\s{${longestRun},}`, 'g'))) {
    counted += count(text.slice(from, index))
    for (let at = 0; at < run.length; at += longestRun) counted += count(run.slice(at, at + longestRun))
    from = index + run.length
  }
  return counted + count(text.slice(from))
}
