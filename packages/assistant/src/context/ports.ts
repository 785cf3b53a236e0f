/** Owns where the context of a run comes from: each part from the part of the assistant that keeps it. */
import type { RecalledMemory, RecallQuery } from '@countersign/contract'
import { sql } from 'kysely'
import type { AssistantContext } from '../assistant-context.ts'
import { goalForPrompt, goalLines, taskForPrompt } from '../goals/goal-prompts.ts'
import { lastSummaries } from '../history/search.ts'
import type { ContextPorts } from './gather.ts'
import { profileIn } from './profile.ts'

export interface ContextSources {
  readonly context: AssistantContext
  readonly recall: (query: RecallQuery) => Promise<readonly RecalledMemory[]>
}

export function contextPorts({ context, recall }: ContextSources): ContextPorts {
  const { operator, records } = context
  return {
    profile: () => records.shared(operator, profileIn),
    recall,
    async newest({ session, words }) {
      if (words !== undefined) return { text: words, messages: 0 }
      if (session === null) return undefined
      return records.shared(operator, ({ db }) =>
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
      records.shared(operator, async ({ db }) => {
        if (session === null) return []
        const found = await lastSummaries(db, { agent, goal, session }, limit)
        return found.map(({ summary, endedAt, label }) => ({ text: summary, at: endedAt, label }))
      }),
    goal: (id) => records.shared(operator, (tx) => goalForPrompt(tx, id)),
    goals: (limit) => records.shared(operator, (tx) => goalLines(tx, limit)),
    about: (id) => records.shared(operator, (tx) => taskForPrompt(tx, id)),
  }
}
