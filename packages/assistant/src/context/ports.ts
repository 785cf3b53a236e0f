/** Owns where the context of a run comes from: each part from the part of the assistant that keeps it. */
import { operatorLabel, type RecalledMemory, type RecallQuery, type SessionId } from '@countersign/contract'
import { type LimitedDb, shownFrom } from '@countersign/kernel'
import { sql } from 'kysely'
import { learningsForPrompt } from '../agents/learnings.ts'
import type { Teams } from '../agents/teams.ts'
import type { AssistantContext } from '../assistant-context.ts'
import { goalForPrompt, goalLines, taskForPrompt } from '../goals/goal-prompts.ts'
import { hasEpisodes, lastSummaries } from '../history/search.ts'
import type { ToldFiles } from '../told-files/told-files.ts'
import type { ContextPorts } from './gather.ts'
import { profileIn } from './profile.ts'

export interface ContextSources {
  readonly context: AssistantContext
  readonly teams: Pick<Teams, 'find'>
  readonly toldFiles: Pick<ToldFiles, 'forPrompt'>
  readonly recall: (query: RecallQuery) => Promise<readonly RecalledMemory[]>
}

export function contextPorts({ context, teams, toldFiles, recall }: ContextSources): ContextPorts {
  const { operator, records } = context
  return {
    profile: () => records.shared(operator, profileIn),
    async team(id) {
      const found = await records.shared(operator, ({ records: rows }) => teams.find(rows, id))
      const text = found?.sharedContext?.trim() ?? ''
      // Only the operator writes it.
      return found && text !== '' ? { name: found.name, text, label: operatorLabel } : undefined
    },
    recall,
    files: toldFiles.forPrompt,
    learnings: (agent) => records.shared(operator, (tx) => learningsForPrompt(tx.records, agent)),
    async newest({ session, words }) {
      if (words !== undefined) return { text: words, messages: 0 }
      if (session === null) return undefined
      return records.shared(operator, async ({ db }) => {
        const newest = await db
          .selectFrom('messages')
          .select(['text', 'position'])
          .select(sql<number>`(select count(*) from messages where session_id = ${session})`.as('messages'))
          .where('session_id', '=', session)
          .where('role', '=', 'user')
          .orderBy('position', 'desc')
          .limit(1)
          .executeTakeFirst()
        if (!newest) return undefined
        const { position, ...said } = newest
        return { ...said, before: await saidBefore(db, session, position) }
      })
    },
    hasPast: () => records.shared(operator, ({ db }) => hasEpisodes(db)),
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

/** Of the same task only: what a model is not shown does not choose what it is told either. */
async function saidBefore(db: LimitedDb, session: SessionId, position: number): Promise<string> {
  const rows = await db
    .selectFrom('messages')
    .select('text')
    .where('session_id', '=', session)
    .where('position', '<', position)
    .where('position', '>=', (window) => shownFrom(window, session))
    .orderBy('position', 'desc')
    .limit(2)
    .execute()
  return rows
    .toReversed()
    .map(({ text }) => text.slice(-longestBefore))
    .join('\n')
}

const longestBefore = 300
