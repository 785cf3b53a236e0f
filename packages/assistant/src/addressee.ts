/** Owns to whom a message of the operator's goes: to a goal, a team, an agent by name, or whoever they chose. */
import type { Addressee, ConversationChoice, SessionId } from '@countersign/contract'
import { CountersignError, goalFrom } from '@countersign/contract'
import type { InboundMessage, RecordTransaction } from '@countersign/kernel'
import type { Agents } from './agents/agents.ts'
import type { AnsweringSettings } from './agents/answering.ts'
import { assistantId } from './agents/builtin.ts'
import type { Teams } from './agents/teams.ts'
import type { AssistantContext } from './assistant-context.ts'

export type Address = (
  message: Addressee & ConversationChoice & { readonly session: SessionId | null; readonly text: string },
) => Promise<Pick<InboundMessage, 'work' | 'opens' | 'title' | 'answeredBy' | 'private'>>

export interface AddressParts {
  readonly context: AssistantContext
  readonly agents: Pick<Agents, 'get' | 'chosen'>
  readonly teams: Pick<Teams, 'route' | 'get'>
  readonly answering: Pick<AnsweringSettings, 'route'>
}

export function createAddress({ context, agents, teams, answering }: AddressParts): Address {
  const { operator, records } = context
  const workOf = (agent: string, goal: string | null, team?: string) => ({
    work: { agent, goal, schedule: null, unattended: false, ...(team === undefined ? {} : { team }) },
  })

  /** Looked up when the message is admitted, in the same transaction. */
  async function chosen(unit: RecordTransaction) {
    const id = await agents.chosen(unit.records)
    return id === assistantId ? undefined : workOf(id, null).work
  }

  async function goalConversation(id: string) {
    const record = await records.single(operator, (tx) => tx.records.get('goals', id))
    if (!record)
      throw new CountersignError('not_found', `There is no goal ${id}.`, {
        next: 'See them with `countersign goal list`.',
      })
    const { title, session } = goalFrom(record)
    return { ...workOf('goal', id), title, ...(session ? { opens: session as SessionId } : {}) }
  }

  return async ({ session, text, agent, goal, team, private: isPrivate }) => {
    if (isPrivate && (session !== null || goal !== undefined))
      throw new CountersignError(
        'usage',
        session === null
          ? 'The conversation of a goal cannot be private: the goal keeps it.'
          : 'A conversation is private from its first message or never.',
        { next: 'Begin another: `countersign chat --private`.' },
      )
    // A conversation that goes on is with whoever it was begun with.
    if (session !== null) return {}
    return { ...(await answeredFor({ text, agent, goal, team })), ...(isPrivate ? { private: true } : {}) }
  }

  async function answeredFor({ text, agent, goal, team }: Addressee & { readonly text: string }) {
    if (goal !== undefined) return goalConversation(goal)
    if (team !== undefined) {
      const [{ id }, route] = await Promise.all([teams.get(team), teams.route(team, text)])
      return workOf(route.agent, null, id)
    }
    if (agent === undefined) {
      const route = await answering.route(text)
      return route ? workOf(route.agent, null, route.team) : { answeredBy: chosen }
    }
    const { id } = await agents.get(agent)
    return id === assistantId ? {} : workOf(id, null)
  }
}
