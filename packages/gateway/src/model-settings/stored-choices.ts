/**
 * Owns the operator's providers, routes and overrides. A change is one transaction with its ledger entry, which holds no
 * key. Refuses to change what the configuration says, and to leave a route without the provider that it names.
 */
import {
  CountersignError,
  type JsonObject,
  localSpeechProvider,
  localSpeechPurpose,
  type OperatorId,
  type OverrideModel,
  type Purpose,
  type Records,
} from '@countersign/contract'
import type { RecordTransactions } from '@countersign/kernel'
import { partsOf } from '@countersign/models'
import type { ActingOperator } from '../server/secrets.ts'
import {
  asData,
  type ConfiguredModel,
  catalogueCollection,
  configuredName,
  type ModelChoices,
  overridesCollection,
  type ProviderChoice,
  providersCollection,
  readModelChoices,
  readRecord,
  routesCollection,
  type StoredCatalogue,
  StoredProvider,
  StoredRoute,
} from './model-choices.ts'

export interface StoredChoicesParts {
  readonly records: Pick<RecordTransactions, 'read' | 'settingsState' | 'change'>
  readonly operator: OperatorId
  readonly configured: ConfiguredModel | null
  readonly onProblem: (problem: unknown) => void
}

export interface StoredChoices {
  /**
   * One small query while nothing changed, and none where the state of the settings was just seen. The same object then,
   * so that what is made of it can be kept.
   */
  read(state?: string): Promise<ModelChoices>
  addProvider(by: ActingOperator, name: string, provider: StoredProvider): Promise<number>
  changeProvider(
    by: ActingOperator,
    name: string,
    change: Partial<StoredProvider>,
    keyChanged: boolean,
  ): Promise<number>
  removeProvider(by: ActingOperator, name: string): Promise<number>
  /** Null: the purpose follows the route of chat again, and chat what the configuration says. */
  setRoute(by: ActingOperator, purpose: Purpose, route: StoredRoute | null): Promise<number>
  override(by: ActingOperator, ref: string, change: OverrideModel): Promise<number>
  restore(by: ActingOperator, ref: string): Promise<number>
  refreshed(by: ActingOperator, catalogue: StoredCatalogue, counts: JsonObject): Promise<number>
}

export function createStoredChoices({
  records,
  operator,
  configured,
  onProblem,
}: StoredChoicesParts): StoredChoices {
  let seen: { readonly state: string; readonly choices: ModelChoices } | undefined

  const look = (rows: Records) => readModelChoices(rows, configured, onProblem)

  async function read(known?: string): Promise<ModelChoices> {
    // The state is the older of the two, so that a change in between is read the next time.
    const state = known ?? (await records.settingsState(operator))
    if (seen?.state !== state)
      seen = { state, choices: await records.read(operator, ({ records: rows }) => look(rows)) }
    return seen.choices
  }

  async function change(
    { actor }: ActingOperator,
    type: string,
    work: (rows: Records, choices: ModelChoices) => Promise<JsonObject>,
  ): Promise<number> {
    const { ledger } = await records.change(operator, async (unit) => {
      const data = await work(unit.records, await look(unit.records))
      unit.record({ type, actor, data })
    })
    return ledger
  }

  return {
    read,
    addProvider: (by, name, provider) =>
      change(by, 'provider.added', async (rows, choices) => {
        if (name === localSpeechProvider)
          throw new CountersignError(
            'conflict',
            `The name ${name} stands for the programs of this machine.`,
            {
              next: 'Take another name.',
            },
          )
        if (name === configuredName || choices.providers.some((known) => known.name === name))
          throw nameTakenError(name, choices)
        await rows.insert(providersCollection, name, asData(provider), null)
        return { name, ...asData(provider) }
      }),
    changeProvider: (by, name, wanted, keyChanged) =>
      change(by, 'provider.changed', async (rows, choices) => {
        requireOwn(choices, name)
        const record = await rows.get(providersCollection, name)
        const before = record && readRecord(record, StoredProvider)
        if (!record || !before) throw unknownProvider(name)
        const after: StoredProvider = { ...before, ...wanted }
        await rows.replace(providersCollection, name, record.version, asData(after), null)
        return { name, before: asData(before), after: asData(after), keyChanged }
      }),
    removeProvider: (by, name) =>
      change(by, 'provider.removed', async (rows, choices) => {
        const { kind, url } = requireRemovable(choices, name)
        await drop(rows, providersCollection, name)
        const overridden = [...choices.overrides.keys()].filter((ref) => ref.startsWith(`${name}/`))
        for (const ref of overridden) await drop(rows, overridesCollection, ref)
        return { name, kind, url, restored: overridden }
      }),
    setRoute: (by, purpose, route) =>
      change(by, 'route.changed', async (rows, choices) => {
        for (const ref of route?.models ?? [])
          if (localSpeechPurpose(ref) === undefined) requireKnown(choices, partsOf(ref).provider)
        const record = await rows.get(routesCollection, purpose)
        const before = record && readRecord(record, StoredRoute)
        if (route) await keep(rows, routesCollection, purpose, asData(route))
        else await drop(rows, routesCollection, purpose)
        return { purpose, before: before ? asData(before) : null, after: route && asData(route) }
      }),
    override: (by, ref, wanted) =>
      change(by, 'model.overridden', async (rows, choices) => {
        requireKnown(choices, partsOf(ref).provider)
        const before = choices.overrides.get(ref) ?? {}
        const after = { ...before, ...wanted }
        await keep(rows, overridesCollection, ref, asData(after))
        return { model: ref, before: asData(before), after: asData(after) }
      }),
    restore: (by, ref) =>
      change(by, 'model.restored', async (rows, choices) => {
        const before = choices.overrides.get(ref)
        if (!before)
          throw new CountersignError('not_found', `Nothing was changed about ${ref}.`, {
            next: `See it with \`countersign model show ${ref}\`.`,
          })
        await drop(rows, overridesCollection, ref)
        return { model: ref, before: asData(before) }
      }),
    refreshed: (by, catalogue, counts) =>
      change(by, 'catalogue.refreshed', async (rows) => {
        await keep(rows, catalogueCollection, 'refreshed', asData(catalogue))
        return { ...asData(catalogue), ...counts }
      }),
  }
}

export function providerNamed(choices: ModelChoices, name: string): ProviderChoice | undefined {
  return choices.providers.find((provider) => provider.name === name)
}

export function requireKnown(choices: ModelChoices, name: string): ProviderChoice {
  const found = providerNamed(choices, name)
  if (!found) throw unknownProvider(name)
  return found
}

export function requireOwn(choices: ModelChoices, name: string): ProviderChoice {
  const found = requireKnown(choices, name)
  if (found.source === 'operator') return found
  throw new CountersignError('conflict', `The provider ${name} is set in the configuration of the gateway.`, {
    next: `Change it in config.json or in the environment and start the gateway again, or add another with \`countersign provider add\`.`,
  })
}

/** One's own, and named by no route. */
export function requireRemovable(choices: ModelChoices, name: string): ProviderChoice {
  const found = requireOwn(choices, name)
  const routed = [...choices.routes].filter(([, { models }]) =>
    models.some((ref) => ref.startsWith(`${name}/`)),
  )
  if (routed.length > 0) throw stillRouted(name, routed)
  return found
}

export function nameTakenError(name: string, choices: ModelChoices): CountersignError {
  const known = providerNamed(choices, name)
  if (known?.source === 'operator')
    return new CountersignError('conflict', `The provider ${name} already exists.`, {
      next: `Change it with \`countersign provider set ${name}\`, or choose another name.`,
    })
  return new CountersignError('conflict', `The name ${name} is used in the configuration of the gateway.`, {
    next: 'Take another name.',
  })
}

function unknownProvider(name: string): CountersignError {
  return new CountersignError('not_found', `There is no provider ${name}.`, {
    next: 'See them with `countersign provider list`.',
  })
}

function stillRouted(name: string, routed: readonly [Purpose, StoredRoute][]): CountersignError {
  const [first] = routed
  const purposes = routed.map(([purpose]) => purpose).join(', ')
  return new CountersignError('conflict', `Models of ${name} are still chosen for ${purposes}.`, {
    next: `Choose others first, for example with \`countersign model use <provider/model> --for ${first?.[0] ?? 'chat'}\`.`,
    details: { purposes: routed.map(([purpose]) => purpose) },
  })
}

async function keep(rows: Records, collection: string, id: string, data: JsonObject): Promise<void> {
  const known = await rows.get(collection, id)
  if (known) await rows.replace(collection, id, known.version, data, null)
  else await rows.insert(collection, id, data, null)
}

async function drop(rows: Records, collection: string, id: string): Promise<void> {
  const known = await rows.get(collection, id)
  if (known) await rows.remove(collection, id, known.version)
}
