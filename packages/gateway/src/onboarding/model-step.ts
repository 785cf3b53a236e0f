/**
 * Owns the choice of a first model: what is there already, a key that is pasted, or the demo. Whatever is chosen is
 * tried at once. Refuses a choice that does not answer, and leaves nothing of it behind.
 */
import {
  type ChosenModel,
  ChosenModel as ChosenShape,
  CountersignError,
  type DetectedProvider,
  type JsonObject,
  ProviderKind,
  type ReadSetupAnswer,
} from '@countersign/contract'
import { kinds } from '@countersign/models'
import type { ModelAdmin } from '../model-settings/model-admin.ts'
import type { ProviderAdmin } from '../model-settings/provider-admin.ts'
import type { ActingOperator } from '../server/secrets.ts'
import type { SetupStepHandler } from './setup-step.ts'

export interface ModelStepParts {
  readonly providers: Pick<ProviderAdmin, 'list' | 'detect' | 'add' | 'set' | 'remove' | 'test'>
  readonly models: Pick<ModelAdmin, 'model' | 'setRoute'>
  /** The model that the next conversation would take. */
  readonly next: (purpose: 'chat') => Promise<{ readonly next: string | null }>
  readonly clock: () => Date
}

type ModelAnswer = ReadSetupAnswer<'model'>

/** A look that follows shortly after another asks no server again. */
const rememberedMs = 5_000

export function modelStep(parts: ModelStepParts): SetupStepHandler<'model'> {
  const { providers, models } = parts
  let seen: { readonly at: number; readonly detected: Promise<DetectedProvider[]> } | undefined

  function detect(): Promise<DetectedProvider[]> {
    const now = parts.clock().getTime()
    if (!seen || now - seen.at > rememberedMs) seen = { at: now, detected: providers.detect() }
    return seen.detected
  }

  /** The provider of a choice, and whether it was added just now. */
  async function providerFor(
    by: ActingOperator,
    answer: ModelAnswer,
  ): Promise<{ name: string; isNew: boolean }> {
    const known = await providers.list()
    switch (answer.choice) {
      case 'demo':
        return added(by, { name: 'demo', kind: 'demo' }, known)
      case 'current': {
        const { next } = await parts.next('chat')
        if (next === null)
          throw new CountersignError('usage', 'No model is set up yet.', {
            next: 'Paste a key, take one that was found, or try the demo.',
          })
        return { name: next.slice(0, next.indexOf('/')), isNew: false }
      }
      case 'detected': {
        const found = (await detect()).find(({ name }) => name === answer.name)
        if (!found) {
          if (known.some(({ name }) => name === answer.name)) return { name: answer.name, isNew: false }
          throw new CountersignError('not_found', `${answer.name} was not found on this computer.`, {
            next: 'Start it and try again, or paste a key.',
          })
        }
        const { kind, name, url, variable } = found
        return added(by, { name, kind, url: url ?? undefined, keyFromEnvironment: variable !== null }, known)
      }
      case 'key': {
        const { kind, key, url } = answer
        const own = known.find((each) => each.name === kind && each.source === 'operator')
        if (own && key !== undefined) {
          await providers.set(by, own.name, { key, ...(url === undefined ? {} : { url }) })
          return { name: own.name, isNew: false }
        }
        return added(by, { name: freeName(kind, known), kind, url, key }, known)
      }
    }
  }

  async function added(
    by: ActingOperator,
    wanted: {
      name: string
      kind: ProviderKind
      url?: string | undefined
      key?: string | undefined
      keyFromEnvironment?: boolean
    },
    known: Awaited<ReturnType<ProviderAdmin['list']>>,
  ): Promise<{ name: string; isNew: boolean }> {
    const { name, kind, url, key, keyFromEnvironment = false } = wanted
    if (known.some((each) => each.name === name)) return { name, isNew: false }
    await providers.add(by, {
      name,
      kind,
      keyFromEnvironment,
      timeoutMs: 60_000,
      priority: 100,
      ...(url === undefined ? {} : { url }),
      ...(key === undefined ? {} : { key }),
    })
    return { name, isNew: true }
  }

  return {
    skippable: false,
    async look(_operator, { notes }) {
      const { next } = await parts.next('chat')
      const chosen = ChosenShape.safeParse(notes['chosen'])
      return {
        data: {
          detected: await detect(),
          kinds: pastable,
          current: next,
          chosen: chosen.success ? chosen.data : null,
        },
      }
    },
    async answer(by, answer, _kept, signal) {
      const { name, isNew } = await providerFor(by, answer)
      seen = undefined
      const wanted = answer.choice === 'key' ? answer.model : undefined
      const tested = await providers.test(by, name, { model: wanted }, signal)
      if (!tested.ok) {
        // The key goes with it: a key that does not work is of no use, and may have been meant for somebody else.
        if (isNew) await providers.remove(by, name)
        throw new CountersignError('model_unavailable', tested.problem ?? 'The model did not answer.', {
          next: isNew ? adviceAfterRemoval(tested.next) : (tested.next ?? 'Try another key, or the demo.'),
          details: { model: tested.model },
        })
      }
      if (answer.choice !== 'current')
        await models.setRoute(by, 'chat', { strategy: 'fallback', models: [tested.model] })
      const { title, price } = await models.model(tested.model)
      const kind = (await providers.list()).find((each) => each.name === name)?.kind
      const chosen: ChosenModel = {
        ref: tested.model,
        title,
        demo: kind === 'demo',
        price,
        firstTokenMs: tested.firstTokenMs,
        totalMs: tested.totalMs,
        usd: tested.usd,
        text: tested.text,
      }
      return { done: true, notes: { chosen: chosen as unknown as JsonObject } }
    },
  }
}

/** What was added is gone again, so that a command which names it would find nothing. */
function adviceAfterRemoval(next: string | null): string {
  const useful = (next ?? '').split(/(?<=[.?!]) /).filter((each) => each !== '' && !each.includes('`'))
  return [...useful, 'Nothing was kept. Try again, or choose another model or the demo.'].join(' ')
}

const pastable = ProviderKind.options
  .filter((kind) => kinds[kind].key === 'needed')
  .map((kind) => ({ kind, title: kinds[kind].title }))

/** The name of the kind, unless the configuration has it. */
function freeName(kind: ProviderKind, known: readonly { readonly name: string }[]): string {
  return known.some(({ name }) => name === kind) ? `${kind}-own` : kind
}
