/** Owns the names of what the chain of a call speaks of: agents, goals, plans, tasks, automations and what set them off. */
import { type ChainLink, type OccurrenceCause, schedulesCollection } from '@countersign/contract'
import type { ChainNames } from '@countersign/kernel'
import type { Agents } from './agents/agents.ts'
import type { AssistantContext, AssistantTransaction } from './assistant-context.ts'
import { goalsCollection } from './goals/goal-records.ts'
import { plansCollection } from './plans/plans.ts'
import { occurrenceOf } from './schedules/order.ts'
import { tablesOn } from './schedules/tables.ts'
import { tasksCollection } from './tasks/task-records.ts'

const causeWords: Readonly<Record<OccurrenceCause, string>> = {
  time: 'at its time',
  event: 'by an event',
  webhook: 'by a webhook',
  watch: 'by a change of a file',
  mail: 'by an e-mail',
  manual: 'by hand',
}

export function createChainNames({ records }: AssistantContext, agents: Pick<Agents, 'find'>): ChainNames {
  return (operator, links) =>
    records.single(operator, async (tx) => {
      const told: ChainLink[] = []
      for (const link of links) told.push({ ...link, name: (await nameOf(link, tx, agents)) ?? link.name })
      return told
    })
}

async function nameOf(
  { kind, id }: ChainLink,
  tx: Pick<AssistantTransaction, 'records' | 'db'>,
  agents: Pick<Agents, 'find'>,
): Promise<string | undefined> {
  const field = async (collection: string, name: string) => {
    const value = (await tx.records.get(collection, id))?.data[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  switch (kind) {
    case 'agent':
      return (await agents.find(tx.records, id))?.name
    case 'goal':
      return field(goalsCollection, 'title')
    case 'plan':
      return field(plansCollection, 'name')
    case 'task':
      return field(tasksCollection, 'title')
    case 'schedule':
      // A check-in of a goal comes by the clock as well.
      return (await field(schedulesCollection, 'name')) ?? field(goalsCollection, 'title')
    case 'trigger': {
      const occurrence = occurrenceOf(id)
      if (occurrence === undefined) return undefined
      const row = await tablesOn(tx.db)
        .selectFrom('occurrences')
        .select('cause')
        .where('id', '=', occurrence)
        .executeTakeFirst()
      return row && causeWords[row.cause]
    }
    default:
      return undefined
  }
}
