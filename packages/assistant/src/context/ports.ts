/** Owns where the context of a run comes from: each part from the room that keeps it. */
import type { Recalled, RecallQuery } from '@countersign/contract'
import { goalLines, goalTold, taskTold } from '../goals/told.ts'
import type { House } from '../hand.ts'
import { lastSummaries } from '../history/search.ts'
import type { ContextPorts } from './gather.ts'
import type { Profiles } from './profile.ts'

export interface ContextSources {
  readonly house: House
  readonly profiles: Profiles
  readonly recall: (query: RecallQuery) => Promise<readonly Recalled[]>
}

export function contextPorts({ house, profiles, recall }: ContextSources): ContextPorts {
  const { operator, records } = house
  return {
    profile: profiles.get,
    recall,
    newest: ({ session, words }) =>
      records.read(operator, async ({ db }) => {
        if (words !== undefined) return { text: words, messages: 0 }
        if (session === null) return undefined
        const newest = await db
          .selectFrom('messages')
          .select('text')
          .where('session_id', '=', session)
          .where('role', '=', 'user')
          .orderBy('position', 'desc')
          .limit(1)
          .executeTakeFirst()
        const { count } = await db
          .selectFrom('messages')
          .select((of) => of.fn.countAll<number>().as('count'))
          .where('session_id', '=', session)
          .executeTakeFirstOrThrow()
        return newest && { text: newest.text, messages: Number(count) }
      }),
    summaries: ({ session, agent, goal }, limit) =>
      records.read(operator, async ({ db }) => {
        if (session === null) return []
        const found = await lastSummaries(db, { agent, goal, session }, limit)
        return found.map(({ summary, endedAt, label }) => ({ text: summary, at: endedAt, label }))
      }),
    goal: (id) => records.read(operator, (hand) => goalTold(hand, id)),
    goals: (limit) => records.read(operator, (hand) => goalLines(hand, limit)),
    about: (id) => records.single(operator, (hand) => taskTold(hand, id)),
  }
}
