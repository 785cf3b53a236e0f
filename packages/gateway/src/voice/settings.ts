/**
 * Owns the operator's providers, routes and overrides. A change is one transaction with its ledger entry, which holds no
 * key. Refuses to change what the configuration says, and to leave a route without the provider that it names.
 */
import {
  CountersignError,
  type JsonObject,
  type OperatorId,
  type OverrideModel,
  type Purpose,
  type Records,
} from '@countersign/contract'
import type { RecordTransactions } from '@countersign/kernel'
import { partsOf } from '@countersign/models'
import type { By } from '../server/secrets.ts'
import {
  asData,
  type Chosen,
  type ChosenProvider,
  type ConfiguredModel,
  catalogueCollection,
  chosenIn,
  configuredName,
  type KeptCatalogue,
  KeptProvider,
  KeptRoute,
  overridesCollection,
  providersCollection,
  readRecord,
  routesCollection,
  voiceCollections,
} from './chosen.ts'

export interface SettingsParts {
  /** Asked for at every use, because the model is made before the kernel that holds the records. */
  readonly records: Pick<RecordTransactions, 'read' | 'stamp' | 'change'>
  readonly operator: OperatorId
  readonly configured: ConfiguredModel | null
  readonly onProblem: (problem: unknown) => void
}

export interface Settings {
  /** One small query while nothing changed. The same object then, so that what is made of it can be kept. */
  read(): Promise<Chosen>
  addProvider(by: By, name: string, provider: KeptProvider): Promise<number>
  changeProvider(by: By, name: string, change: Partial<KeptProvider>, keyChanged: boolean): Promise<number>
  removeProvider(by: By, name: string): Promise<number>
  /** Null: the purpose follows the route of chat again, and chat what the configuration says. */
  setRoute(by: By, purpose: Purpose, route: KeptRoute | null): Promise<number>
  override(by: By, ref: string, change: OverrideModel): Promise<number>
  restore(by: By, ref: string): Promise<number>
  refreshed(by: By, catalogue: KeptCatalogue, counts: JsonObject): Promise<number>
}

export function createSettings({ records, operator, configured, onProblem }: SettingsParts): Settings {
  let seen: { readonly stamp: string; readonly chosen: Chosen } | undefined

  const look = (rows: Records) => chosenIn(rows, configured, onProblem)

  async function read(): Promise<Chosen> {
    // The stamp is the older of the two, so that a change in between is read the next time.
    const stamp = await records.stamp(operator, voiceCollections)
    if (seen?.stamp !== stamp)
      seen = { stamp, chosen: await records.read(operator, ({ records: rows }) => look(rows)) }
    return seen.chosen
  }

  async function change(
    { actor }: By,
    type: string,
    work: (rows: Records, chosen: Chosen) => Promise<JsonObject>,
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
      change(by, 'provider.added', async (rows, chosen) => {
        if (name === configuredName || chosen.providers.some((known) => known.name === name))
          throw taken(name, chosen)
        await rows.insert(providersCollection, name, asData(provider), null)
        return { name, ...asData(provider) }
      }),
    changeProvider: (by, name, wanted, keyChanged) =>
      change(by, 'provider.changed', async (rows, chosen) => {
        requireOwn(chosen, name)
        const record = await rows.get(providersCollection, name)
        const before = record && readRecord(record, KeptProvider)
        if (!record || !before) throw unknownProvider(name)
        const after: KeptProvider = { ...before, ...wanted }
        await rows.replace(providersCollection, name, record.version, asData(after), null)
        return { name, before: asData(before), after: asData(after), keyChanged }
      }),
    removeProvider: (by, name) =>
      change(by, 'provider.removed', async (rows, chosen) => {
        const { kind, url } = requireRemovable(chosen, name)
        await drop(rows, providersCollection, name)
        const overridden = [...chosen.overrides.keys()].filter((ref) => ref.startsWith(`${name}/`))
        for (const ref of overridden) await drop(rows, overridesCollection, ref)
        return { name, kind, url, restored: overridden }
      }),
    setRoute: (by, purpose, route) =>
      change(by, 'route.changed', async (rows, chosen) => {
        for (const ref of route?.models ?? []) requireKnown(chosen, partsOf(ref).provider)
        const record = await rows.get(routesCollection, purpose)
        const before = record && readRecord(record, KeptRoute)
        if (route) await keep(rows, routesCollection, purpose, asData(route))
        else await drop(rows, routesCollection, purpose)
        return { purpose, before: before ? asData(before) : null, after: route && asData(route) }
      }),
    override: (by, ref, wanted) =>
      change(by, 'model.overridden', async (rows, chosen) => {
        requireKnown(chosen, partsOf(ref).provider)
        const before = chosen.overrides.get(ref) ?? {}
        const after = { ...before, ...wanted }
        await keep(rows, overridesCollection, ref, asData(after))
        return { model: ref, before: asData(before), after: asData(after) }
      }),
    restore: (by, ref) =>
      change(by, 'model.restored', async (rows, chosen) => {
        const before = chosen.overrides.get(ref)
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

export function providerNamed(chosen: Chosen, name: string): ChosenProvider | undefined {
  return chosen.providers.find((provider) => provider.name === name)
}

export function requireKnown(chosen: Chosen, name: string): ChosenProvider {
  const found = providerNamed(chosen, name)
  if (!found) throw unknownProvider(name)
  return found
}

export function requireOwn(chosen: Chosen, name: string): ChosenProvider {
  const found = requireKnown(chosen, name)
  if (found.source === 'operator') return found
  throw new CountersignError(
    'conflict',
    `The provider ${name} comes from the configuration of the gateway.`,
    {
      next: `Change it in config.json or in the environment and start the gateway again, or add one of your own with \`countersign provider add\`.`,
    },
  )
}

/** One's own, and named by no route. */
export function requireRemovable(chosen: Chosen, name: string): ChosenProvider {
  const found = requireOwn(chosen, name)
  const routed = [...chosen.routes].filter(([, { models }]) =>
    models.some((ref) => ref.startsWith(`${name}/`)),
  )
  if (routed.length > 0) throw stillRouted(name, routed)
  return found
}

export function taken(name: string, chosen: Chosen): CountersignError {
  const known = providerNamed(chosen, name)
  if (known?.source === 'operator')
    return new CountersignError('conflict', `There is a provider ${name} already.`, {
      next: `Change it with \`countersign provider set ${name}\`, or take another name.`,
    })
  return new CountersignError('conflict', `The name ${name} belongs to the configuration of the gateway.`, {
    next: 'Take another name.',
  })
}

function unknownProvider(name: string): CountersignError {
  return new CountersignError('not_found', `There is no provider ${name}.`, {
    next: 'See them with `countersign provider list`.',
  })
}

function stillRouted(name: string, routed: readonly [Purpose, KeptRoute][]): CountersignError {
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
