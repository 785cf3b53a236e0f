/**
 * Owns who answers a message that names nobody: the default team, else an agent whose keywords stand in it where the
 * operator wants that, else the default agent. A message is never refused for want of somebody.
 */
import {
  type Answering,
  type AnsweringChange,
  type AnsweringChanged,
  CountersignError,
  type Records,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantContext } from '../assistant-context.ts'
import { type Agents, requireAnswers } from './agents.ts'
import { type AnsweringChoice, choiceIn, keepChoice } from './choice.ts'
import { agentByKeywords } from './route.ts'
import type { Teams } from './teams.ts'

export interface AnsweringSettings {
  get(): Promise<Answering>
  change(by: Actor, change: AnsweringChange): Promise<AnsweringChanged>
  /** Who takes a first message, and for which team; nothing where the default agent does. */
  route(text: string): Promise<AnsweringRoute | undefined>
}

export interface AnsweringRoute {
  readonly agent: string
  readonly team?: string
}

export interface AnsweringParts {
  readonly context: Pick<AssistantContext, 'operator' | 'records'>
  readonly agents: Pick<Agents, 'list' | 'named' | 'chosen'>
  readonly teams: Pick<Teams, 'find' | 'named' | 'route'>
}

export function createAnswering({ context, agents, teams }: AnsweringParts): AnsweringSettings {
  const { operator, records: port } = context

  async function shown(records: Records, choice: AnsweringChoice): Promise<Answering> {
    const team = choice.team === undefined ? undefined : await teams.find(records, choice.team)
    return {
      agent: await agents.chosen(records),
      team: team?.id ?? null,
      byKeywords: choice.byKeywords === true,
    }
  }

  return {
    get: () => port.read(operator, async ({ records }) => shown(records, await choiceIn(records))),
    async change(by, change) {
      if (Object.keys(change).length === 0)
        throw new CountersignError('usage', 'Nothing was said of what to change.', {
          next: 'Name an agent, a team, or whether keywords choose.',
        })
      const { value, ledger } = await port.change(operator, async ({ records, record }) => {
        const before = await choiceIn(records)
        const agent = change.agent === undefined ? undefined : await talking(records, change.agent)
        const team =
          typeof change.team === 'string' ? (await teams.named(records, change.team)).id : change.team
        const after = {
          ...before,
          ...(agent === undefined ? {} : { agent }),
          ...(team === undefined ? {} : { team: team ?? undefined }),
          ...(change.byKeywords === undefined ? {} : { byKeywords: change.byKeywords }),
        }
        await keepChoice(records, after)
        const answering = await shown(records, after)
        record({ type: 'answering.changed', actor: by, data: { ...answering } })
        return answering
      })
      return { answering: value, ledger }
    },
    async route(text) {
      const choice = await port.shared(operator, ({ records }) => choiceIn(records))
      if (choice.team !== undefined) {
        const found = await teams.route(choice.team, text).catch(nobody)
        if (found) return { agent: found.agent, team: choice.team }
      }
      if (choice.byKeywords !== true) return undefined
      const found = agentByKeywords(await agents.list(), text)
      return found && { agent: found.agent }
    },
  }

  async function talking(records: Records, ref: string): Promise<string> {
    const agent = await agents.named(records, ref)
    requireAnswers(agent)
    return agent.id
  }
}

/** A team that is gone, or in which nobody is switched on. */
function nobody(error: unknown): undefined {
  if (error instanceof CountersignError && (error.code === 'not_found' || error.code === 'usage'))
    return undefined
  throw error
}
