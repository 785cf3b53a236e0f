/** Which protocol answers at which path. One server speaks them all. */

import { anthropicWire } from './anthropic-wire.ts'
import { bedrockWire } from './bedrock-wire.ts'
import {
  deepseekWire,
  fireworksWire,
  groqWire,
  mistralWire,
  openaiWire,
  openrouterWire,
  perplexityWire,
  togetherWire,
} from './chat-dialects.ts'
import { cohereWire } from './cohere-wire.ts'
import { googleWire } from './google-wire.ts'
import { ollamaWire } from './ollama-wire.ts'
import { responsesWire, xaiWire } from './responses-wire.ts'
import type { Protocol } from './script.ts'
import type { Address, Wire } from './wire.ts'

/** What a client takes as its base, after the server's address. */
export const basePaths: Readonly<Record<Protocol, string>> = {
  openai: '/v1',
  anthropic: '/v1',
  responses: '/v1',
  google: '/v1beta',
  mistral: '/mistral/v1',
  groq: '/groq/openai/v1',
  deepseek: '/deepseek',
  xai: '/xai/v1',
  together: '/together/v1',
  fireworks: '/fireworks/inference/v1',
  perplexity: '/perplexity',
  cohere: '/cohere/v2',
  openrouter: '/api/v1',
  ollama: '/api',
  bedrock: '/bedrock',
  vertex: '/v1/projects/p/locations/europe-west4/publishers/google',
}

const WIRES: Readonly<Record<string, Wire>> = Object.fromEntries(
  (
    [
      [openaiWire, '/chat/completions'],
      [anthropicWire, '/messages'],
      [responsesWire, '/responses'],
      [mistralWire, '/chat/completions'],
      [groqWire, '/chat/completions'],
      [deepseekWire, '/chat/completions'],
      [xaiWire, '/responses'],
      [togetherWire, '/chat/completions'],
      [fireworksWire, '/chat/completions'],
      [perplexityWire, '/chat/completions'],
      [cohereWire, '/chat'],
      [openrouterWire, '/chat/completions'],
      [ollamaWire, '/chat'],
    ] as const
  ).map(([wire, path]) => [basePaths[wire.protocol] + path, wire]),
)

const vertexPath = new RegExp(`^${basePaths.vertex}/models/([^/:]+):(streamGenerateContent|generateContent)$`)
const vertexWire: Wire = {
  ...googleWire,
  protocol: 'vertex',
  turnOf: (...given) => ({ ...googleWire.turnOf(...given), protocol: 'vertex' }),
}

export function placeOf(path: string): { readonly wire: Wire; readonly address: Address } | undefined {
  const bedrock = /^\/bedrock\/model\/([^/]+)\/(converse-stream|converse)$/.exec(path)
  if (bedrock !== null) {
    const model = decodeURIComponent(bedrock[1] ?? '')
    return { wire: bedrockWire, address: { model, stream: bedrock[2] === 'converse-stream' } }
  }
  const vertex = vertexPath.exec(path)
  if (vertex !== null) {
    const model = decodeURIComponent(vertex[1] ?? '')
    return { wire: vertexWire, address: { model, stream: vertex[2] === 'streamGenerateContent' } }
  }
  const google = /^\/v1beta\/models\/([^/:]+):(streamGenerateContent|generateContent)$/.exec(path)
  if (google !== null) {
    const model = decodeURIComponent(google[1] ?? '')
    return { wire: googleWire, address: { model, stream: google[2] === 'streamGenerateContent' } }
  }
  const wire = WIRES[path]
  return wire === undefined ? undefined : { wire, address: {} }
}
