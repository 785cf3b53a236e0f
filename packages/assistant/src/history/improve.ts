/**
 * Owns the better summaries that a model makes in the background. Each is paid for once: a process claims it before it
 * asks. A summary of words that were forgotten meanwhile is thrown away.
 */
import { sql } from 'kysely'
import type { AssistantContext } from '../assistant-context.ts'
import { wordsIn } from './search-words.ts'
import { askedText, cleanSummary, type Summarise, summaryRule } from './summary.ts'
import { historyDb } from './tables.ts'

export interface ImproveOptions {
  readonly context: AssistantContext
  readonly summarise: Summarise
}

export interface Improver {
  improve(limit?: number): Promise<number>
  /** In the background, one at a time. */
  start(): void
  settled(): Promise<void>
}

const mostTries = 3
const againAfterMs = 10 * 60_000
const atOnce = 20

export function createImprover({ context, summarise }: ImproveOptions): Improver {
  let working: Promise<void> | undefined

  async function improve(limit = atOnce): Promise<number> {
    let made = 0
    for (let count = 0; count < limit; count += 1) {
      const improved = await improveNext()
      if (improved === undefined) break
      if (improved) made += 1
    }
    return made
  }

  /** Undefined when none is due. */
  async function improveNext(): Promise<boolean | undefined> {
    const episode = await claim()
    if (!episode) return undefined
    const { id, revision, turns, session_id: session, agent, goal, label } = episode
    const answer = await summarise({
      system: summaryRule,
      text: askedText(turns),
      session,
      agent,
      goal,
      label,
    }).catch((problem: unknown) => context.onProblem(problem))
    const summary = answer === undefined ? undefined : cleanSummary(answer)
    if (summary === undefined) return false
    const { value } = await context.records.change(context.operator, ({ db }) =>
      historyDb(db)
        .updateTable('episodes')
        .set({ summary, summarised_by: 'model', words: wordsIn(summary, turns), due_at: null })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .returning('id')
        .executeTakeFirst(),
    )
    return value !== undefined
  }

  /** Taken for a while, so that a crash does not lose it, and given up after a few tries. */
  async function claim() {
    const now = context.clock()
    const again = new Date(now.getTime() + againAfterMs)
    const { value } = await context.records.change(context.operator, async ({ db }) => {
      const mine = historyDb(db)
      return mine
        .updateTable('episodes')
        .set({
          tries: sql`tries + 1`,
          due_at: sql`case when tries + 1 < ${mostTries} then ${again}::timestamptz end`,
        })
        .where('id', '=', (due) =>
          due
            .selectFrom('episodes as waiting')
            .select('waiting.id')
            .where('waiting.operator_id', '=', context.operator)
            .where('waiting.due_at', '<=', now)
            .orderBy('waiting.due_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returning(['id', 'revision', 'turns', 'session_id', 'agent', 'goal', 'label'])
        .executeTakeFirst()
    })
    return value
  }

  return {
    improve,
    start() {
      working ??= improve()
        .then(() => undefined, context.onProblem)
        .finally(() => {
          working = undefined
        })
    },
    settled: async () => {
      while (working) await working
    },
  }
}
