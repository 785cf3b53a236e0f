/**
 * Owns when the folders of automations are looked at for new e-mails: at their interval, when one was made, and when
 * somebody asks. Each look is a call like any other, and there is one at a time for each automation.
 */
import { CountersignError, type RunId, type ScheduleLooked } from '@countersign/contract'
import type { AssistantContext } from '../../assistant-context.ts'
import { createServerCalls, type ServerCallsOptions } from '../../server-calls.ts'
import type { Scheduler } from '../scheduler.ts'
import { takeLook } from './take-look.ts'
import { dropWatches, lookOf, type MailWatch, mailWatches, moveWatch, noteLook } from './watches.ts'

export interface NewMailOptions extends ServerCallsOptions {
  readonly context: AssistantContext
  readonly scheduler: Pick<Scheduler, 'fire'>
}

const minute = 60_000
/** So many looks at once leave the executor for everything else. */
const mostAtOnce = 3

export function createNewMail(options: NewMailOptions) {
  const { context, scheduler } = options
  const { operator, records, clock, onProblem } = context
  const calls = createServerCalls(options, 'new-mail')
  const closing = new AbortController()
  const underWay = new Map<string, Promise<number>>()
  let beating: Promise<void> | undefined
  let isNudged = false

  /** Who has no such automation is asked for one now and then only: another process may have made it. */
  let restsUntil = 0

  const watches = (id: string | null = null) => records.single(operator, (tx) => mailWatches(tx, id))

  /** How many runs it began. */
  async function look(id: string): Promise<number> {
    const [watch] = await watches(id)
    if (!watch || closing.signal.aborted) return 0
    // What was seen and not taken in when the gateway ended is taken in now.
    const run = watch.run ?? (await begin(watch))
    if (run === undefined) return 0
    const end = await calls.settled(run, closing.signal)
    if (closing.signal.aborted) return 0
    const { value } = await records.change(operator, (tx) => takeLook(tx, id, { run, end }, scheduler.fire))
    return value
  }

  async function begin(watch: MailWatch): Promise<RunId | undefined> {
    const { account, folder, from, subject } = watch.trigger
    try {
      const run = await calls.begin('look_for_new_emails', {
        account,
        folder,
        ...(watch.seen ? { after: watch.seen } : {}),
        ...(from === undefined ? {} : { from }),
        ...(subject === undefined ? {} : { subject }),
      })
      await records.change(operator, (tx) => noteLook(tx, watch, run))
      return run
    } catch (problem) {
      if (!(problem instanceof CountersignError)) throw problem
      const { seen, waiting } = watch
      const said = [problem.message, problem.next].filter((part) => part !== undefined).join(' ')
      await records.change(operator, (tx) =>
        moveWatch(tx, watch, { seen, waiting, run: null, problem: said.slice(0, 500) }),
      )
      return undefined
    }
  }

  /** Whoever comes meanwhile waits for it and then has one of their own. */
  async function lookInTurn(id: string): Promise<number> {
    const work = (underWay.get(id) ?? Promise.resolve(0)).catch(() => 0).then(() => look(id))
    underWay.set(id, work)
    try {
      return await work
    } finally {
      if (underWay.get(id) === work) underWay.delete(id)
    }
  }

  async function lookAtDue(): Promise<void> {
    const now = clock().getTime()
    const isAsked = isNudged
    isNudged = false
    if (!isAsked && now < restsUntil) return
    const known = await watches()
    restsUntil = known.length === 0 ? now + minute : 0
    if (isAsked || known.some(({ schedule }) => schedule.status === 'paused'))
      await records.change(operator, dropWatches)
    const due = known.filter(
      ({ id, schedule, lookedAt, trigger }) =>
        schedule.status === 'active' &&
        !underWay.has(id) &&
        (lookedAt === null || now - lookedAt.getTime() >= trigger.everyMinutes * minute),
    )
    const work = async () => {
      for (let next = due.shift(); next; next = due.shift()) await lookInTurn(next.id).catch(onProblem)
    }
    await Promise.all(Array.from({ length: Math.min(mostAtOnce, due.length) }, work))
  }

  async function beat(): Promise<void> {
    if (beating) return beating
    beating = lookAtDue().finally(() => {
      beating = undefined
    })
    await beating
    if (isNudged && !closing.signal.aborted) await beat()
  }

  return {
    beat,
    /** An automation was made or changed. */
    nudge(): void {
      isNudged = true
      if (!closing.signal.aborted) beat().catch(onProblem)
    },
    async lookNow(id: string): Promise<ScheduleLooked> {
      const [before] = await watches(id)
      if (!before)
        throw new CountersignError('not_found', `There is no automation ${id} that begins with an e-mail.`, {
          next: 'List them with `countersign automation list`.',
        })
      if (before.schedule.status === 'paused')
        throw new CountersignError('conflict', `The automation “${before.schedule.name}” is paused.`, {
          next: 'Resume it with `countersign automation resume`.',
        })
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
