/**
 * Owns the agents of the operator: those that come with the product with what was changed of them, and their own.
 * Refuses two of one name, tools that do not exist, and the removal of what cannot be done without.
 */
import {
  type Agent,
  AgentChange,
  type AgentChanged,
  type AgentRemoved,
  AgentSettings,
  type AgentsResynced,
  CountersignError,
  type JsonObject,
  type Records,
  type StoredRecord,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { groups } from '@countersign/tools'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { assistantId, builtInAgent, builtInAgents } from './builtin.ts'
import { choiceIn, keepChoice } from './choice.ts'
import { agentsCollection } from './collections.ts'
import { isChanged, loadDefaults, type ResyncResult, resyncDefaults } from './defaults.ts'
import { dropLearnings } from './learnings.ts'

/** An agent, whether or not it is the one who answers where nobody is named. */
export type KnownAgent = Omit<Agent, 'isDefault'>

export interface Agents {
  list(): Promise<Agent[]>
  /** By id, else by name. Fails with `not_found`. */
  get(ref: string): Promise<Agent>
  /** By id only, within a transaction. */
  find(records: Records, id: string): Promise<KnownAgent | undefined>
  /** By id, else by name, within a transaction. Fails with `not_found`. */
  named(records: Records, ref: string): Promise<Agent>
  /** The id of who answers where nobody is named, within a transaction. */
  chosen(records: Records): Promise<string>
  add(by: Actor, settings: AgentSettings): Promise<AgentChanged>
  change(by: Actor, ref: string, change: AgentChange): Promise<AgentChanged>
  remove(by: Actor, ref: string): Promise<AgentRemoved>
  choose(by: Actor, ref: string): Promise<AgentChanged>
  /** Lays out what was never laid out; for every start. */
  load(by: Actor): Promise<ResyncResult>
  resync(by: Actor): Promise<AgentsResynced>
}

export interface AgentsParts {
  readonly context: Pick<AssistantContext, 'operator' | 'records' | 'uuid'>
  /** Every tool that there is, switched on or not. */
  readonly toolNames: () => Promise<ReadonlySet<string>>
}

const mostAgents = 100

export function createAgents({ context, toolNames }: AgentsParts): Agents {
  const { operator, records: port } = context
  const read = <T>(work: (records: Records) => Promise<T>) =>
    port.read(operator, ({ records }) => work(records))

  return {
    list: () => read(allAgents),
    get: (ref) => read((records) => named(records, ref)),
    find: agentById,
    named,
    async chosen(records) {
      const id = await chosenIn(records)
      // The assistant cannot be switched off.
      if (id === assistantId) return id
      return (await agentById(records, id))?.enabled ? id : assistantId
    },
    async add(by, settings) {
      await requireTools(settings, toolNames)
      const { value, ledger } = await port.change(operator, async (tx) => {
        const { records } = tx
        const present = await allAgents(records)
        if (present.length >= mostAgents)
          throw usage(
            `There are ${mostAgents} agents already.`,
            'Remove one with `countersign agent rm <agent>`.',
          )
        requireFree(present, settings.name)
        const id = `agent_${context.uuid().replaceAll('-', '')}`
        const record = await records.insert(agentsCollection, id, settings as JsonObject, null)
        note(tx, by, 'agent.added', record.id, settings.name)
        return agentOf(records, record)
      })
      return { agent: value, ledger }
    },
    async change(by, ref, change) {
      await requireTools(change, toolNames)
      const { value, ledger } = await port.change(operator, async (tx) => {
        const { records } = tx
        const before = await named(records, ref)
        if (Object.keys(change).length === 0)
          throw usage('Nothing was said of what to change.', 'Name at least one setting.')
        if (change.name !== undefined) requireFree(await allAgents(records), change.name, before.id)
        if (before.id === assistantId && change.enabled === false)
          throw usage(
            'The assistant cannot be switched off: somebody has to answer.',
            'Choose who answers with `countersign agent use <agent>`.',
          )
        const record = await changedRecord(records, before, change)
        note(tx, by, 'agent.changed', before.id, before.name, { fields: Object.keys(change) })
        return agentOf(records, record)
      })
      return { agent: value, ledger }
    },
    async remove(by, ref) {
      const { value, ledger } = await port.change(operator, async (tx) => {
        const { records } = tx
        const agent = await named(records, ref)
        const record = await records.get(agentsCollection, agent.id)
        if (!record)
          throw usage(
            `${agent.name} comes with the product and was not changed, so there is nothing to take away.`,
            `Change it with \`countersign agent set ${agent.id}\`.`,
          )
        await records.remove(agentsCollection, record.id, record.version)
        if (!agent.builtIn) await dropLearnings(records, agent.id)
        note(tx, by, agent.builtIn ? 'agent.restored' : 'agent.removed', agent.id, agent.name)
        return { id: agent.id, restored: agent.builtIn }
      })
      return { ...value, ledger }
    },
    async choose(by, ref) {
      const { value, ledger } = await port.change(operator, async (tx) => {
        const { records } = tx
        const agent = await named(records, ref)
        requireAnswers(agent)
        // One agent answers now, and no team.
        await keepChoice(records, { ...(await choiceIn(records)), agent: agent.id, team: undefined })
        note(tx, by, 'agent.chosen', agent.id, agent.name)
        return { ...agent, isDefault: true }
      })
      return { agent: value, ledger }
    },
    async load(by) {
      const { value } = await port.change(operator, async (tx) => {
        const came = await loadDefaults(tx.records)
        if (came.added.length > 0) noteResync(tx, by, came)
        return came
      })
      return value
    },
    async resync(by) {
      const { value, ledger } = await port.change(operator, async (tx) => {
        const came = await resyncDefaults(tx.records)
        noteResync(tx, by, came)
        return came
      })
      return { ...value, ledger }
    },
  }
}

/** Built-in ones first, then by name. */
async function allAgents(records: Records): Promise<Agent[]> {
  const page = await records.list(agentsCollection, {
    limit: 2 * mostAgents,
    order: [{ field: 'name', direction: 'up' }],
  })
  const changed = new Map(page.records.map((record) => [record.id, record]))
  const chosen = await chosenIn(records)
  const own = page.records.filter(({ id }) => !builtInAgent(id))
  const agents = builtInAgents.map(({ id }) => builtInWith(id, changed.get(id)))
  for (const record of own) agents.push(await ownAgent(records, record))
  return agents.map((agent) => ({ ...agent, isDefault: agent.id === chosen }))
}

export async function agentById(records: Records, id: string): Promise<KnownAgent | undefined> {
  const record = await records.get(agentsCollection, id)
  if (!record && !builtInAgent(id)) return undefined
  return record && !builtInAgent(id) ? ownAgent(records, record) : builtInWith(id, record)
}

async function agentOf(records: Records, record: StoredRecord): Promise<Agent> {
  return withDefault(records, (await agentById(records, record.id)) as KnownAgent)
}

async function withDefault(records: Records, agent: KnownAgent): Promise<Agent> {
  return { ...agent, isDefault: agent.id === (await chosenIn(records)) }
}

async function named(records: Records, ref: string): Promise<Agent> {
  const byId = await agentById(records, ref)
  if (byId) return withDefault(records, byId)
  const sought = ref.trim().toLowerCase()
  const byName = (await allAgents(records)).find(({ name }) => name.toLowerCase() === sought)
  if (byName) return byName
  throw new CountersignError('not_found', `There is no agent ${JSON.stringify(ref.slice(0, 80))}.`, {
    next: 'List them with `countersign agent list`.',
  })
}

async function chosenIn(records: Records): Promise<string> {
  return (await choiceIn(records)).agent ?? assistantId
}

/** The record of a built-in agent holds only what the operator changed. */
function builtInWith(id: string, record: StoredRecord | undefined): KnownAgent {
  const builtIn = builtInAgent(id)
  if (!builtIn) throw new TypeError(`${id} is no built-in agent`)
  const merged = AgentSettings.safeParse({ ...builtIn.settings, ...record?.data })
  return {
    ...(merged.success ? merged.data : builtIn.settings),
    id,
    kind: builtIn.kind,
    builtIn: true,
    changed: record !== undefined,
    label: record?.label ?? null,
    updatedAt: record?.updatedAt ?? null,
  }
}

async function ownAgent(records: Records, record: StoredRecord): Promise<KnownAgent> {
  return {
    ...AgentSettings.parse(record.data),
    id: record.id,
    kind: 'custom',
    builtIn: false,
    changed: await isChanged(records, record.id, record.data),
    label: record.label,
    updatedAt: record.updatedAt,
  }
}

async function changedRecord(records: Records, before: Agent, change: AgentChange): Promise<StoredRecord> {
  const record = await records.get(agentsCollection, before.id)
  const merged = { ...record?.data, ...change }
  const data = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as JsonObject
  if (!record) return records.insert(agentsCollection, before.id, data, null)
  // What the operator did not touch may still be what outside content led to.
  return records.replace(agentsCollection, record.id, record.version, data, record.label)
}

function requireFree(present: readonly Agent[], name: string, but?: string): void {
  const taken = present.find(
    (each) => each.id !== but && each.name.toLowerCase() === name.trim().toLowerCase(),
  )
  if (!taken) return
  throw new CountersignError('conflict', `There is an agent named ${taken.name} already: ${taken.id}.`, {
    next: 'Choose another name.',
  })
}

/** Nobody is chosen to answer who cannot. */
export function requireAnswers(agent: Agent): void {
  if (agent.enabled && agent.conversational && !['task', 'plan', 'feed', 'guest'].includes(agent.kind)) return
  throw usage(
    `${agent.name} cannot answer you: it is switched off or does not talk.`,
    'Choose one that does with `countersign agent list`.',
  )
}

async function requireTools(
  given: { readonly tools?: readonly string[]; readonly toolGroups?: readonly string[] },
  toolNames: AgentsParts['toolNames'],
): Promise<void> {
  const group = given.toolGroups?.find((name) => !(name in groups))
  if (group !== undefined)
    throw usage(
      `There is no group of tools named ${group}.`,
      `The groups are ${Object.keys(groups).join(', ')}.`,
    )
  if (!given.tools || given.tools.length === 0) return
  const known = await toolNames()
  const stranger = given.tools.find((name) => !known.has(name))
  if (stranger !== undefined)
    throw usage(`There is no tool named ${stranger}.`, 'Find its name with `countersign tool list`.')
}

function note(
  tx: Pick<AssistantTransaction, 'record'>,
  by: Actor,
  type: string,
  id: string,
  name: string,
  more: JsonObject = {},
): void {
  tx.record({ type, actor: by, data: { agent: id, name, ...more } })
}

function noteResync(tx: Pick<AssistantTransaction, 'record'>, by: Actor, came: ResyncResult): void {
  const { added, updated, kept } = came
  tx.record({ type: 'agent.resynced', actor: by, data: { added, updated, kept } })
}

function usage(message: string, next: string): CountersignError {
  return new CountersignError('usage', message, { next })
}
