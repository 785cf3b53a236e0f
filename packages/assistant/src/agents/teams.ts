/** Owns the teams of the operator. Refuses a team with somebody in it who is not there. */
import {
  AgentTeam,
  CountersignError,
  type JsonObject,
  type Records,
  type StoredRecord,
  type TeamChange,
  type TeamChanged,
  type TeamRemoved,
  type TeamRoute,
  TeamSettings,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantContext } from '../assistant-context.ts'
import type { Agents } from './agents.ts'
import { teamsCollection } from './collections.ts'
import { type AskRouter, routeMessage } from './route.ts'

export interface Teams {
  list(): Promise<AgentTeam[]>
  /** By id, else by name. Fails with `not_found`. */
  get(ref: string): Promise<AgentTeam>
  add(by: Actor, settings: TeamSettings): Promise<TeamChanged>
  change(by: Actor, ref: string, change: TeamChange): Promise<TeamChanged>
  remove(by: Actor, ref: string): Promise<TeamRemoved>
  /** By id only, within a transaction. */
  find(records: Records, id: string): Promise<AgentTeam | undefined>
  /** By id, else by name, within a transaction. Fails with `not_found`. */
  named(records: Records, ref: string): Promise<AgentTeam>
  /** Who takes the message. */
  route(ref: string, text: string): Promise<TeamRoute>
}

export interface TeamsParts {
  readonly context: Pick<AssistantContext, 'operator' | 'records' | 'uuid'>
  readonly agents: Pick<Agents, 'list' | 'find'>
  /** Left out, a router that would ask a model counts keywords. */
  readonly ask?: AskRouter
}

const mostTeams = 50

export function createTeams({ context, agents, ask }: TeamsParts): Teams {
  const { operator, records: port } = context
  const read = <T>(work: (records: Records) => Promise<T>) =>
    port.read(operator, ({ records }) => work(records))

  return {
    list: () => read(allTeams),
    get: (ref) => read((records) => named(records, ref)),
    async find(records, id) {
      const record = await records.get(teamsCollection, id)
      return record && teamOf(record)
    },
    named,
    async add(by, settings) {
      const { value, ledger } = await port.change(operator, async ({ records, record }) => {
        const present = await allTeams(records)
        if (present.length >= mostTeams)
          throw new CountersignError('usage', `There are ${mostTeams} teams already.`, {
            next: 'Remove one with `countersign agent team rm <team>`.',
          })
        requireFree(present, settings.name)
        await requireMembers(records, settings, agents)
        const id = `team_${context.uuid().replaceAll('-', '')}`
        const made = await records.insert(teamsCollection, id, settings as JsonObject, null)
        record({ type: 'team.added', actor: by, data: { team: id, name: settings.name } })
        return teamOf(made)
      })
      return { team: value, ledger }
    },
    async change(by, ref, change) {
      const { value, ledger } = await port.change(operator, async ({ records, record }) => {
        const { id, name } = await named(records, ref)
        const before = await records.get(teamsCollection, id)
        if (!before) throw missing(ref)
        if (change.name !== undefined) requireFree(await allTeams(records), change.name, id)
        const merged = Object.entries({ ...before.data, ...change }).filter(([, given]) => given !== null)
        const settings = TeamSettings.parse(Object.fromEntries(merged))
        await requireMembers(records, settings, agents)
        const after = await records.replace(
          teamsCollection,
          id,
          before.version,
          settings as JsonObject,
          before.label,
        )
        record({ type: 'team.changed', actor: by, data: { team: id, name, fields: Object.keys(change) } })
        return teamOf(after)
      })
      return { team: value, ledger }
    },
    async remove(by, ref) {
      const { value, ledger } = await port.change(operator, async ({ records, record }) => {
        const { id, name } = await named(records, ref)
        const before = await records.get(teamsCollection, id)
        if (!before) throw missing(ref)
        await records.remove(teamsCollection, id, before.version)
        record({ type: 'team.removed', actor: by, data: { team: id, name } })
        return id
      })
      return { id: value, ledger }
    },
    async route(ref, text) {
      const [team, there] = await Promise.all([read((records) => named(records, ref)), agents.list()])
      const route = await routeMessage(team, there, text, ask)
      if (route) return route
      throw new CountersignError('usage', `Nobody of the team ${team.name} is switched on.`, {
        next: 'Switch one on with `countersign agent set <agent> --on`, or change the team.',
      })
    },
  }
}

async function allTeams(records: Records): Promise<AgentTeam[]> {
  const order = [{ field: 'name', direction: 'up' }] as const
  const page = await records.list(teamsCollection, { limit: 2 * mostTeams, order })
  return page.records.map(teamOf)
}

async function named(records: Records, ref: string): Promise<AgentTeam> {
  const record = await records.get(teamsCollection, ref)
  if (record) return teamOf(record)
  const sought = ref.trim().toLowerCase()
  const byName = (await allTeams(records)).find(({ name }) => name.toLowerCase() === sought)
  if (byName) return byName
  throw missing(ref)
}

function teamOf({ id, data, updatedAt }: StoredRecord): AgentTeam {
  return AgentTeam.parse({ ...data, id, updatedAt })
}

async function requireMembers(
  records: Records,
  { agents: members, fallback }: TeamSettings,
  agents: Pick<Agents, 'find'>,
): Promise<void> {
  for (const id of members) {
    const agent = await agents.find(records, id)
    if (!agent)
      throw new CountersignError('usage', `There is no agent ${id}.`, {
        next: 'List them with `countersign agent list`, and name them by id.',
      })
    if (!agent.conversational)
      throw new CountersignError('usage', `${agent.name} does not talk, so it can answer no message.`, {
        next: 'Leave it out of the team.',
      })
  }
  if (fallback !== undefined && !members.includes(fallback))
    throw new CountersignError('usage', `The fallback ${fallback} is not in the team.`, {
      next: 'Add it to the agents, or choose one of them.',
    })
}

function requireFree(present: readonly AgentTeam[], name: string, but?: string): void {
  const taken = present.find(
    (each) => each.id !== but && each.name.toLowerCase() === name.trim().toLowerCase(),
  )
  if (!taken) return
  throw new CountersignError('conflict', `There is a team named ${taken.name} already: ${taken.id}.`, {
    next: 'Choose another name.',
  })
}

function missing(ref: string): CountersignError {
  return new CountersignError('not_found', `There is no team ${JSON.stringify(ref.slice(0, 80))}.`, {
    next: 'List them with `countersign agent team list`.',
  })
}
