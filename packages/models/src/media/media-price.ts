/**
 * Owns what pictures, speech and recordings cost, in billionths of a dollar: by the provider's own count of tokens where
 * the model has a price for them, else by the picture, the character or the minute. What nobody says is taken to be dear.
 */
import type { ModelUsage } from '@countersign/agent'
import type { MakingTask } from '@countersign/contract'
import type { ModelFacts } from '../catalogue/facts.ts'
import { costNanos } from '../catalogue/price.ts'

export type MediaPriceFacts = Pick<ModelFacts, 'model' | 'price' | 'tiers' | 'perCall'>

/** Dollars, by the lists of the providers as we know them, not checked since; a price that the operator set comes first. */
interface Rates {
  readonly picture?: number
  readonly millionCharacters?: number
  readonly minute?: number
  /** For a million tokens, where the provider tells how many there were. */
  readonly tokens?: { readonly input: number; readonly output: number }
}

/** The first that the name of the model begins with. The dearest size and quality is counted, save where tokens are told. */
const known: readonly (readonly [RegExp, Rates])[] = [
  [/gpt-image-1-mini/, { picture: 0.06, tokens: { input: 2.5, output: 8 } }],
  [/gpt-image-1/, { picture: 0.27, tokens: { input: 10, output: 40 } }],
  [/dall-e-3/, { picture: 0.12 }],
  [/dall-e-2/, { picture: 0.02 }],
  [/grok-2-image/, { picture: 0.07 }],
  [/tts-1-hd/, { millionCharacters: 30 }],
  [/gpt-4o-mini-tts|tts-1/, { millionCharacters: 20 }],
  [/gpt-4o-mini-transcribe/, { minute: 0.003 }],
  [/whisper-large-v3|distil-whisper/, { minute: 0.002 }],
  [/whisper-1|gpt-4o-transcribe/, { minute: 0.006 }],
]

const unknown = { picture: 0.4, millionCharacters: 100, minute: 0.03 } as const

/** A telephone's worst sound has about so many bytes in a second. */
const fewestBytesOfSecond = 750
/** What a picture, a character and a second come to at most, for a model that has a price for tokens. */
const pictureTokens = 16_000
const characterTokens = 3
const secondTokens = 60

export interface MediaUsed {
  /** As the provider told it. */
  readonly usage: ModelUsage | null
  readonly pictures?: number
  readonly seconds?: number | null
}

/** What it came to. */
export function mediaNanos(facts: MediaPriceFacts, task: MakingTask, used: MediaUsed): number {
  const rates = known.find(([name]) => name.test(facts.model))?.[1]
  // A server nearby may pass on what another sells under that name.
  const isFree = facts.price?.input === 0 && facts.price.output === 0
  if (facts.price !== null && !(isFree && rates))
    return costNanos(facts, used.usage ?? { input: 0, output: tokensOf(task, used), cached: 0, reasoning: 0 })
  if (used.usage && rates?.tokens)
    return nanos(
      (used.usage.input * rates.tokens.input + used.usage.output * rates.tokens.output) / 1_000_000,
    )
  return nanos(dollarsOf(task, used, rates ?? {}))
}

/** The most that it can come to, before it is asked for. */
export function worstMediaNanos(facts: MediaPriceFacts, task: MakingTask): number {
  return mediaNanos(facts, task, { usage: null })
}

function dollarsOf(task: MakingTask, used: MediaUsed, rates: Rates): number {
  switch (task.kind) {
    case 'picture':
    case 'edit':
    case 'variation':
      return (used.pictures ?? task.count) * (rates.picture ?? unknown.picture)
    case 'speech':
      return (task.text.length / 1_000_000) * (rates.millionCharacters ?? unknown.millionCharacters)
    case 'transcript':
    case 'translation':
      return (Math.max(1, secondsOf(task, used)) / 60) * (rates.minute ?? unknown.minute)
  }
}

function tokensOf(task: MakingTask, used: MediaUsed): number {
  switch (task.kind) {
    case 'picture':
    case 'edit':
    case 'variation':
      return (used.pictures ?? task.count) * pictureTokens
    case 'speech':
      return task.text.length * characterTokens
    case 'transcript':
    case 'translation':
      return Math.ceil(Math.max(1, secondsOf(task, used)) * secondTokens)
  }
}

function secondsOf(
  task: Extract<MakingTask, { kind: 'transcript' | 'translation' }>,
  used: MediaUsed,
): number {
  return used.seconds ?? task.seconds ?? (task.sound.base64.length * 3) / 4 / fewestBytesOfSecond
}

function nanos(dollars: number): number {
  return Math.min(Math.ceil(Number((dollars * 1_000_000_000).toFixed(3))), Number.MAX_SAFE_INTEGER)
}
