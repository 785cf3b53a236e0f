/** Owns which providers are tried, how each is reached on the scripted server, and what its protocol does not carry. */
import type { ProviderKind } from '../../../packages/contract/src/index.ts'
import type { ModelConfig } from '../../../packages/models/src/index.ts'
import type { ModelServer, Protocol } from '../../model-servers/src/index.ts'
import type { RowName } from './row-name.ts'

export interface ProviderCase {
  readonly kind: ProviderKind
  readonly protocol: Protocol
  /** A name that makes the package ask for everything that the row tries. */
  readonly model: string
  /** Where the key travels; null where none is needed and none is sent without one. */
  readonly keyHeader: string
  /** The word for what a row tries and this protocol does not carry. */
  readonly lacks: Partial<Readonly<Record<RowName, string>>>
  /** The usage beyond input and output that the protocol tells. */
  readonly tells: readonly ('cached' | 'reasoning')[]
  /** What the protocol writes of the type of an image. */
  readonly imageType: string
}

const bearer = {
  keyHeader: 'authorization',
  lacks: {},
  tells: ['cached', 'reasoning'],
  imageType: 'image/png',
} as const

export const providerCases: readonly ProviderCase[] = [
  { ...bearer, kind: 'anthropic', protocol: 'anthropic', model: 'claude-sonnet-4-5', keyHeader: 'x-api-key' },
  { ...bearer, kind: 'openai', protocol: 'responses', model: 'gpt-5' },
  { ...bearer, kind: 'google', protocol: 'google', model: 'gemini-2.5-pro', keyHeader: 'x-goog-api-key' },
  { ...bearer, kind: 'mistral', protocol: 'mistral', model: 'magistral-medium-latest', tells: ['cached'] },
  { ...bearer, kind: 'groq', protocol: 'groq', model: 'qwen/qwen3-32b' },
  { ...bearer, kind: 'deepseek', protocol: 'deepseek', model: 'deepseek-reasoner' },
  { ...bearer, kind: 'xai', protocol: 'xai', model: 'grok-4' },
  { ...bearer, kind: 'together', protocol: 'together', model: 'openai/gpt-oss-120b' },
  {
    ...bearer,
    kind: 'fireworks',
    protocol: 'fireworks',
    model: 'accounts/fireworks/models/deepseek-r1',
    tells: ['cached'],
  },
  {
    ...bearer,
    kind: 'perplexity',
    protocol: 'perplexity',
    model: 'sonar-reasoning-pro',
    tells: ['reasoning'],
    lacks: {
      'tool call': 'no tools',
      'parallel calls': 'no tools',
      'results sent back': 'no tools',
      reasoning: 'in the text',
    },
  },
  { ...bearer, kind: 'cohere', protocol: 'cohere', model: 'command-a-reasoning-08-2025', tells: [] },
  { ...bearer, kind: 'openrouter', protocol: 'openrouter', model: 'anthropic/claude-sonnet-4.5' },
  { ...bearer, kind: 'zhipu', protocol: 'openai', model: 'glm-4.6' },
  { ...bearer, kind: 'azure', protocol: 'openai', model: 'my-deployment', keyHeader: 'api-key' },
  { ...bearer, kind: 'github', protocol: 'openai', model: 'openai/gpt-4.1' },
  {
    ...bearer,
    kind: 'bedrock',
    protocol: 'bedrock',
    model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
    tells: ['cached'],
  },
  { ...bearer, kind: 'vertex', protocol: 'vertex', model: 'gemini-2.5-pro', keyHeader: 'x-goog-api-key' },
  { ...bearer, kind: 'ollama', protocol: 'ollama', model: 'qwen3:8b', tells: [], imageType: '' },
  { ...bearer, kind: 'openai-compatible', protocol: 'openai', model: 'scripted' },
]

export const KEY = 'sk-test-0123456789abcdef'

export function configFor(
  provider: ProviderCase,
  server: Pick<ModelServer, 'baseUrl'>,
  change: Partial<ModelConfig> = {},
): ModelConfig {
  return {
    name: provider.kind,
    kind: provider.kind,
    model: provider.model,
    baseUrl: server.baseUrl(provider.protocol),
    apiKey: KEY,
    timeoutMs: 5_000,
    ...change,
  }
}
