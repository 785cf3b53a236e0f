/**
 * Owns when the folders of automations are looked at for new e-mails: at their interval, when one was made, and when
 * somebody asks. Each look is a call like any other, and there is one at a time for each automation.
 */
import { CountersignError, type ScheduleLooked } from '@countersign/contract'
import type { AssistantContext } from '../../assistant-context.ts'
import { createLooksInTurn } from '../../looks-in-turn.ts'
import { createServerCalls, type ServerCallsOptions } from '../../server-calls.ts'
import type { Scheduler } from '../scheduler.ts'
import { look } from './look.ts'
import { dropWatches, lookOf, type MailWatch, mailWatches } from './watches.ts'

export interface NewMailOptions extends ServerCallsOptions {
  readonly context: AssistantContext
  readonly scheduler: Pick<Scheduler, 'fire' | 'nudge'>
}

const minute = 60_000

export function createNewMail(options: NewMailOptions) {
  const { context, scheduler } = options
  const { operator, records, clock, onProblem } = context
  const parts = { context, scheduler, calls: createServerCalls(options, 'new-mail') }
  const closing = new AbortController()
  const looks = createLooksInTurn((id) => look(id, parts, closing.signal), onProblem)
  let beating: Promise<void> | undefined
  let isNudged = false
  /** Who has no such automation is asked for one now and then only: another process may have made it. */
  let restsUntil = 0
  const watches = (id: string | null = null) => records.single(operator, (tx) => mailWatches(tx, id))

  async function lookAtDue(): Promise<void> {
    const now = clock().getTime()
    if (!isNudged && now < restsUntil) return
    isNudged = false
    const known = await watches()
    restsUntil = known.length === 0 ? now + minute : 0
    if (known.some(({ schedule, lookedAt }) => schedule.status === 'paused' && lookedAt !== null))
      await records.change(operator, dropWatches)
    const due = known.filter((watch) => !looks.isUnderWay(watch.id) && isDue(watch, now))
    await looks.all(due.map(({ id }) => id))
  }

  async function beat(): Promise<void> {
    beating ??= lookAtDue().finally(() => {
      beating = undefined
    })
    await beating
    if (isNudged && !closing.signal.aborted) await beat()
  }

  return {
    beat,
    /** An automation was made or changed. */
    nudge(): void {
      scheduler.nudge()
      isNudged = true
      if (!closing.signal.aborted) beat().catch(onProblem)
    },
    async lookNow(id: string): Promise<ScheduleLooked> {
      const before = lookable(id, await watches(id))
      const started = await looks.look(id)
      const [after = before] = await watches(id)
      return { started, look: lookOf(after) }
    },
    async close(): Promise<void> {
      closing.abort()
      await Promise.allSettled([looks.settled(), beating])
    },
  }
}

function isDue({ schedule, lookedAt, trigger }: MailWatch, now: number): boolean {
  if (schedule.status !== 'active') return false
  return lookedAt === null || now - lookedAt.getTime() >= trigger.everyMinutes * minute
}

function lookable(id: string, [found]: readonly MailWatch[]): MailWatch {
  if (!found)
    throw new CountersignError('not_found', `There is no automation ${id} that starts on e-mail.`, {
      next: 'List them with `countersign automation list`.',
    })
  if (found.schedule.status === 'paused')
    throw new CountersignError('conflict', `The automation “${found.schedule.name}” is paused.`, {
      next: 'Resume it with `countersign automation resume`.',
    })
  return found
}
