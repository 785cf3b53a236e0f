/**
 * Owns the one timer of the scheduler, and the memory of when it was running. It rings at the next time that something
 * is due, and now and then in between: a clock may jump, a machine may sleep, and events come without a time.
 */
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { tablesOn } from './tables.ts'

export interface TimerOptions {
  readonly context: AssistantContext
  /** Looks at what is due, and says when that is the next time. */
  readonly beat: () => Promise<{ readonly next: Date | null }>
}

const shortestMs = 15_000

export function createTimer({ context, beat }: TimerOptions) {
  let span: string | undefined
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  let isOpen = false
  let isNudged = false

  /** Every beat makes the stretch longer; after a pause without beats a new one begins. */
  async function note({ db, operator }: AssistantTransaction, now: Date): Promise<void> {
    if (span !== undefined) {
      const { numUpdatedRows } = await tablesOn(db)
        .updateTable('clock_spans')
        .set({ until_at: now })
        .where('operator_id', '=', operator)
        .where('id', '=', span)
        .where('until_at', '>=', new Date(now.getTime() - 10 * shortestMs))
        .where('until_at', '<=', now)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return
    }
    span = `span_${context.uuid().replaceAll('-', '')}`
    await tablesOn(db)
      .insertInto('clock_spans')
      .values({ operator_id: operator, id: span, from_at: now, until_at: now })
      .execute()
  }

  async function ring(): Promise<void> {
    isNudged = false
    let next: Date | null = null
    try {
      next = (await beat()).next
    } catch (problem) {
      context.onProblem(problem)
    }
    beating = undefined
    const wait = next === null ? shortestMs : next.getTime() - context.clock().getTime()
    // What is still due after a look failed, and is not tried again at once.
    if (isOpen) arm(isNudged ? 0 : wait <= 0 ? shortestMs : Math.min(wait, shortestMs))
  }

  function arm(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      beating ??= ring()
    }, ms)
    timer.unref()
  }

  return {
    note,
    /** Looks at once, and from then on by itself. */
    async start(): Promise<void> {
      isOpen = true
      beating ??= ring()
      await beating
    },
    /** Something changed that a time was waited for with. */
    nudge(): void {
      isNudged = true
      if (isOpen && !beating) arm(0)
    },
    /** What has begun is ended first. */
    async close(): Promise<void> {
      isOpen = false
      clearTimeout(timer)
      await beating
    },
  }
}
