/** Models, books and settings that do as they are told, for tests of the routing. */
import type {
  Meter,
  ModelChunk,
  ModelFailure,
  ModelRequest,
  ModelUsage,
  PlannedCall,
  Shortage,
  SpentCall,
} from '@countersign/agent'
import type { Capability } from '@countersign/contract'
import type { OneModel } from '../../calls/one-model.ts'
import type { ModelFacts } from '../../catalogue/facts.ts'
import type { ProviderConfig } from '../../providers/config.ts'
import { createHealth, type Health } from '../health.ts'
import { createRouter, type RouterOptions } from '../router.ts'
import type { Route, RouterSettings } from '../settings.ts'

export type ScriptStep =
  | { readonly do: 'say' | 'think' | 'write'; readonly text: string }
  | { readonly do: 'tell'; readonly usage: Partial<ModelUsage> }
  | { readonly do: 'take'; readonly ms: number }
  | { readonly do: 'deliver'; readonly usage: ModelUsage }
  | { readonly do: 'fail'; readonly failure: ModelFailure }
  | { readonly do: 'throw' | 'hang' | 'stop' }

export type Script = readonly ScriptStep[]

export interface TestClock {
  ms: number
}

export const noUsage: ModelUsage = { input: 0, output: 0, cached: 0, reasoning: 0 }
export const someUsage: ModelUsage = { input: 100, output: 20, cached: 0, reasoning: 0 }
export const deliver: ScriptStep = { do: 'deliver', usage: someUsage }
export const sayStep = (text: string): ScriptStep => ({ do: 'say', text })
export const fail = (kind: ModelFailure['kind'], more: Partial<ModelFailure> = {}): ScriptStep => ({
  do: 'fail',
  failure: { kind, message: `It was ${kind}.`, ...more },
})

export function scriptedModel(script: Script, time: TestClock): OneModel {
  return {
    async *stream(_request, signal, heard): AsyncGenerator<ModelChunk> {
      let text = ''
      for (const step of script) {
        if (signal.aborted) {
          yield { type: 'failed', failure: { kind: 'cancelled', message: 'Stopped.' } }
          return
        }
        switch (step.do) {
          case 'say':
            text += step.text
            yield { type: 'text', text: step.text }
            break
          case 'think':
            yield { type: 'reasoning', text: step.text }
            break
          case 'write':
            yield { type: 'call', tool: 'write_file', text: step.text }
            break
          case 'tell':
            heard?.(step.usage)
            break
          case 'take':
            time.ms += step.ms
            break
          case 'deliver':
            yield {
              type: 'end',
              reply: { text, calls: [], finish: 'stop', usage: step.usage, model: 'as-named' },
            }
            return
          case 'fail':
            yield { type: 'failed', failure: step.failure }
            return
          case 'throw':
            throw new Error('A model must not throw.')
          case 'stop':
            return
          case 'hang':
            await new Promise<void>((resolve) => {
              if (signal.aborted) resolve()
              else signal.addEventListener('abort', () => resolve(), { once: true })
            })
            yield { type: 'failed', failure: { kind: 'cancelled', message: 'Stopped.' } }
            return
        }
      }
    },
  }
}

export interface TestMeter extends Meter {
  readonly reserved: Map<string, PlannedCall>
  readonly settled: { readonly id: string; readonly spent: SpentCall }[]
}

export interface TestMeterOptions {
  /** The number of the reservation, from 1. */
  readonly refuse?: number
  readonly reserveThrows?: boolean
  readonly settleThrows?: boolean
  readonly settling?: () => Promise<void>
}

export const shortage: Shortage = {
  budget: 'global:month',
  subject: '',
  period: '2026-01',
  limitNanos: 10,
  takenNanos: 9,
  neededNanos: 5,
  message: 'The month is spent.',
}

export function openTestMeter(options: TestMeterOptions = {}): TestMeter {
  const reserved = new Map<string, PlannedCall>()
  const settled: { id: string; spent: SpentCall }[] = []
  let asked = 0
  return {
    reserved,
    settled,
    reserve: async (planned) => {
      asked += 1
      await Promise.resolve()
      if (options.reserveThrows) throw new Error('The database is away.')
      if (asked === options.refuse) return { kind: 'refused', shortage }
      const id = `call_${asked}`
      reserved.set(id, planned)
      return { kind: 'reserved', id }
    },
    settle: async (id, spent) => {
      await options.settling?.()
      settled.push({ id, spent })
      if (options.settleThrows) throw new Error('The database is away.')
    },
  }
}

export function factsOf(model: string, more: Partial<ModelFacts> = {}): ModelFacts {
  const capabilities: readonly Capability[] = ['tools']
  return {
    model,
    title: model,
    capabilities,
    streaming: true,
    context: 100_000,
    output: null,
    price: { input: 1, output: 4, cacheRead: null, cacheWrite: null, source: 'here', date: '2026-01-01' },
    quality: 50,
    overridden: false,
    ...more,
  }
}

export function requestOf(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    purpose: 'chat',
    system: 'Be brief.',
    messages: [{ role: 'user', text: 'Hello.' }],
    tools: [],
    maxOutputTokens: 1_000,
    ...more,
  }
}

export function providerOf(name: string, more: Partial<ProviderConfig> = {}): ProviderConfig {
  return { name, kind: 'openai', apiKey: 'key', timeoutMs: 1_000, ...more }
}

export interface TestRouterOptions {
  /** By reference; a model without one delivers at once. */
  readonly scripts?: Readonly<Record<string, Script>>
  readonly facts?: Readonly<Record<string, Partial<ModelFacts>>>
  readonly route?: Route
  readonly settings?: Partial<RouterSettings>
  readonly models?: Readonly<Record<string, readonly string[]>>
  readonly options?: Partial<RouterOptions>
  /** Comes between the router and the health. */
  readonly watch?: (health: Health) => Health
}

/** A router over three providers `a`, `b` and `c`; chat falls back from `a/one` to `b/two` to `c/three`. */
export function openTestRouter(testRouter: TestRouterOptions = {}) {
  const time: TestClock = { ms: Date.UTC(2026, 0, 1) }
  const clock = () => time.ms
  const called: string[] = []
  const problems: string[] = []
  const health = createHealth({ clock })
  const router = createRouter({
    settings: async () => ({
      providers: ['a', 'b', 'c'].map((name) => ({ config: providerOf(name), enabled: true, priority: 100 })),
      routes: { chat: testRouter.route ?? { strategy: 'fallback', models: ['a/one', 'b/two', 'c/three'] } },
      ...testRouter.settings,
    }),
    facts: (provider, model) => factsOf(model, testRouter.facts?.[`${provider.name}/${model}`]),
    models: (provider) => testRouter.models?.[provider.name] ?? [],
    open: (config) => {
      const ref = `${config.name}/${config.model}`
      called.push(ref)
      return scriptedModel(testRouter.scripts?.[ref] ?? [sayStep('hi'), deliver], time)
    },
    prices: {
      cost: ({ price }, usage) =>
        Math.round(usage.input * (price?.input ?? 15) + usage.output * (price?.output ?? 75)) * 1_000,
      worst: () => 1_000_000_000,
      estimate: (_request, text) => ({ input: 7, output: text.length, cached: 0, reasoning: 0 }),
    },
    health: testRouter.watch?.(health) ?? health,
    observers: [],
    clock,
    now: () => new Date(time.ms),
    onProblem: (sentence) => problems.push(sentence),
    ...testRouter.options,
  })
  return { router, health, time, called, problems }
}

export async function readAll(chunks: AsyncIterable<ModelChunk>): Promise<ModelChunk[]> {
  const read: ModelChunk[] = []
  for await (const chunk of chunks) read.push(chunk)
  return read
}

export const never = (): AbortSignal => new AbortController().signal
