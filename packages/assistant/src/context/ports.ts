/** Owns where the context of a run comes from: each part from the part of the assistant that keeps it. */
import type { RecalledMemory, RecallQuery } from '@countersign/contract'
import { sql } from 'kysely'
import type { AssistantContext } from '../assistant-context.ts'
import { goalForPrompt, goalLines, taskForPrompt } from '../goals/goal-prompts.ts'
import { lastSummaries } from '../history/search.ts'
import type { ContextPorts } from './gather.ts'
import type { Profiles } from './profile.ts'

export interface ContextSources {
  readonly context: AssistantContext
  readonly profiles: Profiles
  readonly recall: (query: RecallQuery) => Promise<readonly RecalledMemory[]>
}

export function contextPorts({ context, profiles, recall }: ContextSources): ContextPorts {
  const { operator, records } = context
  return {
    profile: profiles.get,
    recall,
    async newest({ session, words }) {
      if (words !== undefined) return { text: words, messages: 0 }
      if (session === null) return undefined
      return records.single(operator, ({ db }) =>
        db
          .selectFrom('messages')
          .select('text')
          .select(sql<number>`(select count(*) from messages where session_id = ${session})`.as('messages'))
          .where('session_id', '=', session)
          .where('role', '=', 'user')
          .orderBy('position', 'desc')
          .limit(1)
          .executeTakeFirst(),
      )
    },
    summaries: ({ session, agent, goal }, limit) =>
      records.single(operator, async ({ db }) => {
        if (session === null) return []
        const found = await lastSummaries(db, { agent, goal, session }, limit)
        return found.map(({ summary, endedAt, label }) => ({ text: summary, at: endedAt, label }))
      }),
    goal: (id) => records.read(operator, (tx) => goalForPrompt(tx, id)),
    goals: (limit) => records.single(operator, (tx) => goalLines(tx, limit)),
    about: (id) => records.single(operator, (tx) => taskForPrompt(tx, id)),
  }
}
