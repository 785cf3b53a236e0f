/** Owns the HTTP shapes of providers and models: what is configured, what there is to choose from, what was chosen. */
import { z } from 'zod'

export const ProviderKind = z.enum([
  'anthropic',
  'openai',
  'google',
  'mistral',
  'groq',
  'deepseek',
  'xai',
  'together',
  'fireworks',
  'perplexity',
  'cohere',
  'openrouter',
  'zhipu',
  'azure',
  'github',
  'bedrock',
  'vertex',
  'ollama',
  'openai-compatible',
  /** No provider at all: fixed rules on this machine, for trying the rest. */
  'demo',
])
export type ProviderKind = z.infer<typeof ProviderKind>

/** What a call is for. Each purpose has its own route to a model. */
export const Purpose = z.enum([
  'chat',
  'planning',
  'summaries',
  'extraction',
  'vision',
  /** Making and changing pictures. */
  'images',
  /** Reading aloud. */
  'speech',
  /** Writing down what is said. */
  'transcription',
  'embeddings',
])
export type Purpose = z.infer<typeof Purpose>

export const Strategy = z.enum(['cheapest', 'fastest', 'smartest', 'balanced', 'fallback'])
export type Strategy = z.infer<typeof Strategy>

export const Capability = z.enum(['tools', 'vision', 'reasoning'])
export type Capability = z.infer<typeof Capability>

/** Lower case, so that it can be the name of a secret as well. */
export const ProviderName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'a short name in lower case, such as anthropic or my-server')

/** `provider/model`; the model may hold slashes of its own. */
export const ModelRef = z.string().regex(/^[a-z][a-z0-9-]{0,31}\/\S{1,200}$/, 'provider/model')
export type ModelRef = z.infer<typeof ModelRef>

export const ProviderHealth = z.strictObject({
  /** Over the last quarter of an hour. */
  calls: z.int(),
  failures: z.int(),
  /** Until the first token, half of the calls took no longer. */
  medianMs: z.number().nullable(),
  /** `open`: left alone for a while after failures. */
  breaker: z.enum(['closed', 'open', 'half-open']),
  opensAgainAt: z.string().nullable(),
})
export type ProviderHealth = z.infer<typeof ProviderHealth>

export const ProviderView = z.strictObject({
  name: ProviderName,
  kind: ProviderKind,
  title: z.string(),
  url: z.string(),
  /** Where the key comes from; its value is never told. */
  key: z.enum(['vault', 'environment', 'none', 'missing']),
  enabled: z.boolean(),
  /** Lower comes first in the strategy `fallback`. */
  priority: z.int(),
  timeoutMs: z.int(),
  /** `configuration`: from the file or the environment of the gateway, and changed there. */
  source: z.enum(['operator', 'configuration']),
  health: ProviderHealth,
})
export type ProviderView = z.infer<typeof ProviderView>

export const AddProvider = z.strictObject({
  name: ProviderName,
  kind: ProviderKind,
  url: z.url().optional(),
  /** Goes into the vault. Left out for a server without one, or where a key of the environment is to be taken. */
  key: z.string().min(1).max(4096).optional(),
  /** Takes the key that the gateway's environment has for this kind, and puts it into the vault. */
  keyFromEnvironment: z.boolean().default(false),
  timeoutMs: z.int().min(1_000).max(600_000).default(60_000),
  priority: z.int().min(0).max(1_000).default(100),
})
export type AddProvider = z.infer<typeof AddProvider>

export const SetProvider = z.strictObject({
  url: z.url().optional(),
  key: z.string().min(1).max(4096).optional(),
  timeoutMs: z.int().min(1_000).max(600_000).optional(),
  priority: z.int().min(0).max(1_000).optional(),
  enabled: z.boolean().optional(),
})
export type SetProvider = z.infer<typeof SetProvider>

export const ProviderChanged = z.strictObject({ provider: ProviderView, ledger: z.int() })
export const ProviderRemoved = z.strictObject({ name: ProviderName, ledger: z.int() })

/** A server that answers on this machine, or a key that lies in the gateway's environment; not configured yet. */
export const DetectedProvider = z.strictObject({
  kind: ProviderKind,
  name: ProviderName,
  title: z.string(),
  url: z.string().nullable(),
  /** The variable that holds the key. */
  variable: z.string().nullable(),
  models: z.array(z.string()),
})
export type DetectedProvider = z.infer<typeof DetectedProvider>

/** In characters: what a model may be asked to try it. */
export const longestTestPrompt = 20_000

/** One real call, and what came of it. */
export const ProviderTested = z.strictObject({
  ok: z.boolean(),
  model: z.string(),
  firstTokenMs: z.number().nullable(),
  totalMs: z.number(),
  tokens: z.strictObject({ input: z.int(), output: z.int() }),
  usd: z.number(),
  text: z.string(),
  /** The model answered a request with a tool by calling it; null where it has no tools. */
  tools: z.boolean().nullable(),
  problem: z.string().nullable(),
  next: z.string().nullable(),
})
export type ProviderTested = z.infer<typeof ProviderTested>

/** Dollars for a million tokens. */
export const ModelPrice = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cacheRead: z.number().min(0).nullable(),
  cacheWrite: z.number().min(0).nullable(),
  source: z.string(),
  date: z.string(),
})
export type ModelPrice = z.infer<typeof ModelPrice>

export const ModelView = z.strictObject({
  ref: ModelRef,
  provider: ProviderName,
  model: z.string(),
  title: z.string(),
  capabilities: z.array(Capability),
  streaming: z.boolean(),
  context: z.int().nullable(),
  output: z.int().nullable(),
  price: ModelPrice.nullable(),
  /** The operator changed the price or what it can do. */
  overridden: z.boolean(),
  /** From 0 to 100, from its price and age; the operator may set it. */
  quality: z.int(),
  /** The purposes whose route names it. */
  usedFor: z.array(Purpose),
})
export type ModelView = z.infer<typeof ModelView>

export const RouteView = z.strictObject({
  purpose: Purpose,
  strategy: Strategy,
  /** In order of preference; empty means every model that can do it. */
  models: z.array(ModelRef),
  /** The one that the next call would take, or why there is none. */
  next: ModelRef.nullable(),
  problem: z.string().nullable(),
  /** False while it follows the route of chat. */
  own: z.boolean(),
})
export type RouteView = z.infer<typeof RouteView>

export const SetRoute = z.strictObject({
  strategy: Strategy.optional(),
  models: z.array(ModelRef).max(20).optional(),
})
export type SetRoute = z.infer<typeof SetRoute>
export const RouteChanged = z.strictObject({ route: RouteView, ledger: z.int() })

export const OverrideModel = z.strictObject({
  input: z.number().min(0).optional(),
  output: z.number().min(0).optional(),
  cacheRead: z.number().min(0).optional(),
  cacheWrite: z.number().min(0).optional(),
  capabilities: z.array(Capability).optional(),
  context: z.int().min(1).optional(),
  maxOutput: z.int().min(1).optional(),
  quality: z.int().min(0).max(100).optional(),
})
export type OverrideModel = z.infer<typeof OverrideModel>
export const ModelChanged = z.strictObject({ model: ModelView, ledger: z.int() })

export const CatalogueView = z.strictObject({
  source: z.string(),
  date: z.string(),
  models: z.int(),
  /** False for the data that came with the program. */
  refreshed: z.boolean(),
})
export type CatalogueView = z.infer<typeof CatalogueView>
/** What a call of so many tokens would cost by the price that holds now; null where none is known. */
export const ModelEstimate = z.strictObject({
  ref: z.string(),
  input: z.int(),
  output: z.int(),
  cached: z.int(),
  usd: z.number().nullable(),
})
export type ModelEstimate = z.infer<typeof ModelEstimate>

export const CatalogueRefreshed = z.strictObject({
  catalogue: CatalogueView,
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  ledger: z.int(),
})

/** One of the last requests, with every secret value masked. */
export const ModelTrace = z.strictObject({
  id: z.string(),
  at: z.string(),
  provider: z.string(),
  model: z.string(),
  purpose: Purpose,
  run: z.string().nullable(),
  outcome: z.string(),
  problem: z.string().nullable(),
  firstTokenMs: z.number().nullable(),
  totalMs: z.number(),
  tokens: z.strictObject({ input: z.int(), output: z.int(), cached: z.int(), reasoning: z.int() }),
  usd: z.number(),
  /** The request and the reply as text, each at most its first part. */
  request: z.string(),
  reply: z.string(),
})
export type ModelTrace = z.infer<typeof ModelTrace>
