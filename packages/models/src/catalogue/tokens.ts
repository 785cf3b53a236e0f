/**
 * Owns counting tokens: a count with the tokenizer of o200k_base, near enough for every model, and a bound that it
 * does not pass. The tokenizer is large and loaded on the first count.
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

/** No fewer tokens than a tokenizer makes of the request. */
export function mostRequestTokens(request: ModelRequest): number {
  const parts = partsOf(request)
  return parts.overhead + parts.texts.reduce((sum, text) => sum + mostTokens(text), 0)
}

/**
 * Half as many again as ordinary text has, and more. Small letters and spaces in a row count a little over half a
 * token each, since letters at random are no better. Capitals, digits and signs count whole: keys, numbers and encoded data come near to
 * one token for each. Other characters count as their bytes, save those that have tokens of their own.
 */
export function mostTokens(text: string): number {
  let fifths = 0
  let goesOn = false
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const small = isSmallOrSpace(unit)
    fifths += small && goesOn ? 3 : fifthsOf(unit)
    goesOn = small
  }
  return Math.ceil(fifths / 5)
}

function fifthsOf(unit: number): number {
  if (unit < 0x80) return 5
  if (unit < 0x800) return isCommonLetter(unit) ? 5 : 10
  if (isCommonSyllable(unit)) return 10
  // Half of a pair stands for two bytes of four.
  return unit >= 0xd800 && unit <= 0xdfff ? 10 : 15
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

function isSmallOrSpace(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || unit === 0x20
}

/** The letters of Greek, Cyrillic, Hebrew and Arabic as they are written today. */
function isCommonLetter(unit: number): boolean {
  return (
    (unit >= 0x3b1 && unit <= 0x3c9) ||
    (unit >= 0x410 && unit <= 0x44f) ||
    (unit >= 0x5d0 && unit <= 0x5ea) ||
    (unit >= 0x627 && unit <= 0x64a)
  )
}

/** Kana, Han and Hangul. Most are one token; a rare one may be three, but no text is made of those. */
function isCommonSyllable(unit: number): boolean {
  return (
    (unit >= 0x3000 && unit <= 0x30ff) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3) ||
    (unit >= 0xff01 && unit <= 0xff5e)
  )
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
