/** Reads the models that the package pi-ai publishes as JSON. Refuses nothing but what it cannot make sense of, model by model. */
import type { Capability, ProviderKind } from '@countersign/contract'
import { z } from 'zod'
import type { DataPrice } from './data.ts'

export const piAiPackage = '@earendil-works/pi-ai'

export interface PiAiModel {
  readonly kind: ProviderKind
  readonly id: string
  readonly title: string
  readonly capabilities: Capability[]
  readonly context: number | null
  readonly output: number | null
  readonly price: DataPrice | null
}

/** Its files for the kinds of providers there are. */
export function isPiAiFile(path: string): boolean {
  return kindOf(path) !== undefined
}

export function readPiAi(files: ReadonlyMap<string, string>): PiAiModel[] {
  return [...files].flatMap(([path, text]) => {
    const kind = kindOf(path)
    const groups = kind === undefined ? undefined : Groups.safeParse(parsed(text)).data
    if (kind === undefined || groups === undefined) return []
    return Object.values(groups)
      .flatMap((group) => Object.values(group))
      .flatMap((model) => {
        const chat = ChatModel.safeParse(model).data
        return chat === undefined ? [] : [modelOf(kind, chat)]
      })
  })
}

const folder = 'dist/providers/data/'
const published: readonly ProviderKind[] = [
  'anthropic',
  'openai',
  'google',
  'mistral',
  'groq',
  'deepseek',
  'xai',
  'together',
  'fireworks',
  'openrouter',
]

function kindOf(path: string): ProviderKind | undefined {
  return published.find((kind) => path === `${folder}${kind}.json`)
}

const Rates = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
})
const ChatModel = z.object({
  type: z.literal('chat'),
  id: z.string(),
  name: z.string(),
  reasoning: z.boolean().default(false),
  input: z.array(z.string()),
  cost: Rates.extend({ tiers: z.array(Rates.extend({ inputTokensAbove: z.int() })).optional() }),
  contextWindow: z.int().positive().nullable().default(null),
  maxTokens: z.int().positive().nullable().default(null),
})
const Groups = z.record(z.string(), z.record(z.string(), z.unknown()))

function modelOf(kind: ProviderKind, model: z.infer<typeof ChatModel>): PiAiModel {
  return {
    kind,
    id: model.id,
    title: model.name,
    // Models without tools are left out of what it publishes.
    capabilities: [
      'tools',
      ...(model.input.includes('image') ? ['vision' as const] : []),
      ...(model.reasoning ? ['reasoning' as const] : []),
    ],
    context: model.contextWindow,
    output: model.maxTokens,
    price: priceOf(model),
  }
}

/** Nothing stands for both free and unknown; only what is called free is taken to be so. */
function priceOf({ id, cost }: z.infer<typeof ChatModel>): DataPrice | null {
  const rates = ratesOf(cost)
  if (rates.input === 0 && rates.output === 0 && !/[:/]free$/.test(id)) return null
  const tiers = (cost.tiers ?? [])
    .map((tier) => ({ above: tier.inputTokensAbove, ...ratesOf(tier) }))
    .toSorted((one, other) => one.above - other.above)
  return { ...rates, ...(tiers.length === 0 ? {} : { tiers }) }
}

function ratesOf({ input, output, cacheRead, cacheWrite }: z.infer<typeof Rates>) {
  const stated = (price: number) => (price > 0 ? price : null)
  return { input, output, cacheRead: stated(cacheRead), cacheWrite: stated(cacheWrite) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
