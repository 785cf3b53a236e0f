/**
 * Owns when the folders of automations are looked at for new e-mails: at their interval, when one was made, and when
 * somebody asks. Each look is a call like any other, and there is one at a time for each automation.
 */
import { CountersignError, type ScheduleLooked } from '@countersign/contract'
import type { AssistantContext } from '../../assistant-context.ts'
import { createServerCalls, type ServerCallsOptions } from '../../server-calls.ts'
import type { Scheduler } from '../scheduler.ts'
import { look } from './look.ts'
import { dropWatches, lookOf, type MailWatch, mailWatches } from './watches.ts'

export interface NewMailOptions extends ServerCallsOptions {
  readonly context: AssistantContext
  readonly scheduler: Pick<Scheduler, 'fire' | 'nudge'>
}

const minute = 60_000
/** So many looks at once leave the executor for everything else. */
const mostAtOnce = 3

export function createNewMail(options: NewMailOptions) {
  const { context, scheduler } = options
  const { operator, records, clock, onProblem } = context
  const parts = { context, scheduler, calls: createServerCalls(options, 'new-mail') }
  const closing = new AbortController()
  const underWay = new Map<string, Promise<number>>()
  let beating: Promise<void> | undefined
  let isNudged = false
  /** Who has no such automation is asked for one now and then only: another process may have made it. */
  let restsUntil = 0
  const watches = (id: string | null = null) => records.single(operator, (tx) => mailWatches(tx, id))

  /** Whoever comes meanwhile waits for it and then has one of their own. */
  async function lookInTurn(id: string): Promise<number> {
    const before = underWay.get(id) ?? Promise.resolve(0)
    const work = before.catch(() => 0).then(() => look(id, parts, closing.signal))
    underWay.set(id, work)
    return work.finally(() => underWay.get(id) === work && underWay.delete(id))
  }

  async function lookAtDue(): Promise<void> {
    const now = clock().getTime()
    if (!isNudged && now < restsUntil) return
    isNudged = false
    const known = await watches()
    restsUntil = known.length === 0 ? now + minute : 0
    if (known.some(({ schedule, lookedAt }) => schedule.status === 'paused' && lookedAt !== null))
      await records.change(operator, dropWatches)
    const due = known.filter((watch) => !underWay.has(watch.id) && isDue(watch, now))
    await fewAtOnce(due, ({ id }) => lookInTurn(id).catch(onProblem))
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
      const started = await lookInTurn(id)
      const [after = before] = await watches(id)
      return { started, look: lookOf(after) }
    },
    async close(): Promise<void> {
      closing.abort()
      await Promise.allSettled([...underWay.values(), beating])
    },
  }
}

async function fewAtOnce<T>(all: T[], work: (each: T) => Promise<unknown>): Promise<void> {
  const worker = async () => {
    for (let next = all.shift(); next; next = all.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, all.length) }, worker))
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
