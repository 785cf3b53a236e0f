/** What was recorded: twenty replies over the protocols that carry calls. */
import type { ModelRequest } from '@countersign/agent'
import type { ProviderKind } from '@countersign/contract'
import type { Protocol, ScriptReply } from '@countersign/model-servers'
import type { ModelConfig } from '../../../../../packages/models/src/providers/config.ts'

export interface Scenario {
  readonly name: string
  readonly kind: ProviderKind
  readonly text: string
  readonly calls: readonly RecordedCall[]
}

export interface RecordedCall {
  readonly id: string
  readonly name: string
  readonly args: string
}

/** Cut anywhere inside, some pieces of these look like a whole call. */
const one: readonly RecordedCall[] = [
  { id: 'call00001', name: 'send', args: '{"to":"ann {} and","cc":{"n":2},"x":[]}' },
]
const two: readonly RecordedCall[] = [
  { id: 'call00001', name: 'send', args: '{"to":"ann"}' },
  { id: 'call00002', name: 'look', args: '{"at":"é😀}","n":1}' },
]
const none: readonly RecordedCall[] = []

const recorded: readonly (readonly [ProviderKind, string, readonly RecordedCall[]])[] = [
  ['anthropic', 'one', one],
  ['anthropic', 'two', two],
  ['openai', 'one', one],
  ['openai', 'two', two],
  ['openai-compatible', 'one', one],
  ['openai-compatible', 'two', two],
  ['openai-compatible', 'none', none],
  ['google', 'one', one],
  ['google', 'two', two],
  ['cohere', 'one', one],
  ['cohere', 'two', two],
  ['ollama', 'one', one],
  ['ollama', 'two', two],
  ['openrouter', 'one', one],
  ['openrouter', 'two', two],
  ['mistral', 'two', two],
  ['groq', 'one', one],
  ['deepseek', 'two', two],
  ['xai', 'two', two],
  ['together', 'one', one],
]

export const scenarios: readonly Scenario[] = recorded.map(([kind, title, calls]) => ({
  name: `${kind}-${title}`,
  kind,
  // What it says is long enough on this protocol.
  text: kind === 'openai' || kind === 'xai' ? '' : 'On it.',
  calls,
}))

export function replyOf({ text, calls }: Scenario): ScriptReply {
  return { text, calls, chunkSize: 20, usage: { input: 9, output: 7 } }
}

export function protocolOf(kind: ProviderKind): Protocol {
  if (kind === 'openai') return 'responses'
  // The demo model speaks none, and is in no scenario.
  switch (kind) {
    case 'openai-compatible':
    case 'zhipu':
    case 'azure':
    case 'github':
    case 'demo':
      return 'openai'
    default:
      return kind
  }
}

export function configOf(kind: ProviderKind, baseUrl: string, timeoutMs: number): ModelConfig {
  return { name: kind, kind, baseUrl, apiKey: 'sk-recorded', model: 'scripted', timeoutMs }
}

export const request: ModelRequest = {
  purpose: 'chat',
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Send it.' }],
  tools: ['send', 'look'].map((name) => ({
    name,
    description: `Does ${name}.`,
    schema: { type: 'object', properties: { to: { type: 'string' } } },
  })),
  maxOutputTokens: 500,
}
