/** Owns which tools an operator has now: the registered ones that are switched on, and those that they made. */
import { calendarAccountsCollection, calendarAccountsIn } from '@countersign/assistant'
import {
  type CalendarAccount,
  type InstalledExtensions,
  type MailAccount,
  mailAccountsCollection,
  noExtensions,
  type OperatorId,
  type Records,
  type ToolCatalogue,
  type ToolFacts,
  type ToolSource,
} from '@countersign/contract'
import type { RecordTransactions } from '@countersign/kernel'
import {
  catalogueFor,
  customToolFacts,
  type OfferedNode,
  perMinute,
  programOfSwitch,
  serverToolFacts,
  type ToolRegistry,
  type ToolSwitches,
  withCalendarAccounts,
  withMailAccounts,
  withNodes,
} from '@countersign/tools'
import { accountsIn } from '../mail/account-records.ts'

export interface ToolSourceOptions {
  readonly registry: ToolRegistry
  readonly records: RecordTransactions
  /** What the configuration says; a switch that the operator turned later stands above it. */
  readonly configured: { readonly enable: readonly string[]; readonly disable: readonly string[] }
  /** Calls of these are critical, so that each needs the operator's passkey. The same list as long as it holds. */
  readonly passkeyTools?: () => readonly string[]
  /** Calls in a minute, in the place of a tool's own rate. */
  readonly rates?: Readonly<Record<string, number>>
  /** The computers that were let in. The same list as long as it holds. */
  readonly nodes?: () => Promise<readonly OfferedNode[]>
  /** What was let in from outside, as the executor says. The same object as long as it holds. */
  readonly extensions?: () => InstalledExtensions
}

export const switchesCollection = 'tool_switches'
const customToolsCollection = 'custom_tools'
export const toolCollections: readonly string[] = [
  switchesCollection,
  customToolsCollection,
  mailAccountsCollection,
  calendarAccountsCollection,
]

const mostRemembered = 100
const none: readonly never[] = []
const nobody = Promise.resolve(none)

interface Remembered {
  readonly state: string
  readonly passkeys: readonly string[]
  readonly nodes: readonly OfferedNode[]
  readonly extensions: InstalledExtensions
  readonly catalogue: ToolCatalogue
}

export function createToolSource(options: ToolSourceOptions): ToolSource {
  const {
    registry,
    records,
    configured,
    passkeyTools = () => none,
    rates = {},
    nodes = () => nobody,
    extensions = () => noExtensions,
  } = options
  const remembered = new Map<OperatorId, Remembered>()

  const load = (operator: OperatorId, offered: readonly OfferedNode[]): Promise<ToolCatalogue> =>
    records.read(operator, async ({ records: rows }) => {
      const { switches, own } = await choicesOf(rows, { registry, configured })
      const made = own.filter(({ enabled }) => enabled).map(({ facts }) => facts)
      const accounts = await accountsIn(rows)
      const calendars = await calendarAccountsIn(rows)
      const brought = [...made, ...serverToolFacts(extensions())]
      return adjusted(withNodes(catalogueFor(registry, switches, brought), offered), {
        passkeys: passkeyTools(),
        rates,
        accounts,
        calendars,
      })
    })

  return {
    async open(operator, settings) {
      const state = settings ?? (await records.settingsState(operator))
      const passkeys = passkeyTools()
      const offered = await nodes()
      const installed = extensions()
      const known = remembered.get(operator)
      if (
        known?.state === state &&
        known.passkeys === passkeys &&
        known.nodes === offered &&
        known.extensions === installed
      )
        return known.catalogue
      const catalogue = await load(operator, offered)
      if (remembered.size >= mostRemembered) remembered.clear()
      remembered.set(operator, { state, passkeys, nodes: offered, extensions: installed, catalogue })
      return catalogue
    },
  }
}

interface Adjustments {
  readonly passkeys: readonly string[]
  readonly rates: Readonly<Record<string, number>>
  readonly accounts: readonly MailAccount[]
  readonly calendars: readonly CalendarAccount[]
}

/**
 * The same tools, some of them never below the tier that needs a passkey, some as often as the operator says, and those
 * for e-mail with the operator's accounts.
 */
function adjusted(
  catalogue: ToolCatalogue,
  { passkeys, rates, accounts, calendars }: Adjustments,
): ToolCatalogue {
  const raise = (facts: ToolFacts): ToolFacts =>
    passkeys.includes(facts.name) ? { ...facts, floor: 4 } : facts
  const adjust = (facts: ToolFacts) =>
    withCalendarAccounts(withMailAccounts(raise(withRate(facts, rates)), accounts), calendars)
  return {
    ...catalogue,
    list: () => catalogue.list().map(adjust),
    find(name) {
      const facts = catalogue.find(name)
      return facts && adjust(facts)
    },
  }
}

/** The rate that the operator chose for the tool, where they chose one. */
export function withRate(facts: ToolFacts, rates: Readonly<Record<string, number>> = {}): ToolFacts {
  const chosen = Object.hasOwn(rates, facts.name) ? rates[facts.name] : undefined
  return chosen === undefined ? facts : { ...facts, rate: perMinute(chosen) }
}

/** What the operator chose and made, as their records hold it. */
export async function choicesOf(
  rows: Records,
  { registry, configured }: Pick<ToolSourceOptions, 'registry' | 'configured'>,
): Promise<{ switches: ToolSwitches; own: readonly { facts: ToolFacts; enabled: boolean }[] }> {
  const switched = await rows.list(switchesCollection, { limit: 1000 })
  const made = await rows.list(customToolsCollection, { limit: 500 })
  const own = made.records.map((record) => ({
    facts: customToolFacts(record),
    enabled: record.data['enabled'] !== false,
  }))
  return { switches: switchesOf(switched.records, registry, configured), own }
}

function switchesOf(
  rows: readonly { readonly id: string; readonly data: Record<string, unknown> }[],
  registry: ToolRegistry,
  configured: ToolSourceOptions['configured'],
): ToolSwitches {
  const tools = new Map<string, boolean>()
  const groups = new Map<string, boolean>()
  const programs = new Map<string, boolean>()
  const turn = (name: string, on: boolean) => {
    const program = programOfSwitch(name)
    if (program === undefined) (registry.find(name) ? tools : groups).set(name, on)
    else programs.set(program, on)
  }
  for (const name of configured.enable) turn(name, true)
  for (const name of configured.disable) turn(name, false)
  for (const { id, data } of rows) {
    const [kind, name = ''] = id.split(':')
    const on = data['enabled'] === true
    if (kind === 'tool') tools.set(name, on)
    else if (kind === 'program') programs.set(name, on)
    else groups.set(name, on)
  }
  const started = [...programs].flatMap(([name, on]) => (on ? [name] : [])).toSorted()
  return { tools, groups, programs: started }
}
