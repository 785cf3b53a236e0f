/** Owns one look for new e-mails: the call that looks, and taking in what it found. */
import { CountersignError, type RunId } from '@countersign/contract'
import type { AssistantContext } from '../../assistant-context.ts'
import type { ServerCalls } from '../../server-calls.ts'
import type { Scheduler } from '../scheduler.ts'
import { takeLook } from './take-look.ts'
import { type MailWatch, mailWatches, moveWatch, noteLook } from './watches.ts'

export interface LookParts {
  readonly context: AssistantContext
  readonly calls: ServerCalls
  readonly scheduler: Pick<Scheduler, 'fire'>
}

/** How many runs it began. */
export async function look(id: string, parts: LookParts, closing: AbortSignal): Promise<number> {
  const { context, calls, scheduler } = parts
  const { operator, records } = context
  const [watch] = await records.single(operator, (tx) => mailWatches(tx, id))
  if (!watch || closing.aborted) return 0
  // What was seen and not taken in when the gateway ended is taken in now.
  const run = watch.run ?? (await begin(watch, parts))
  if (run === undefined) return 0
  const end = await calls.settled(run, closing)
  if (closing.aborted) return 0
  const { value } = await records.change(operator, (tx) => takeLook(tx, id, { run, end }, scheduler.fire))
  return value
}

/** Undefined where it cannot even be asked for. */
async function begin(watch: MailWatch, { context, calls }: LookParts): Promise<RunId | undefined> {
  const { operator, records } = context
  const { seen, waiting, trigger } = watch
  const { account, folder, from, subject } = trigger
  try {
    const run = await calls.begin('look_for_new_emails', {
      account,
      folder,
      ...(seen ? { after: seen } : {}),
      ...(from === undefined ? {} : { from }),
      ...(subject === undefined ? {} : { subject }),
    })
    await records.change(operator, (tx) => noteLook(tx, watch, run))
    return run
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    const said = [error.message, error.next].filter((part) => part !== undefined).join(' ')
    const problem = said.slice(0, 500)
    await records.change(operator, (tx) => moveWatch(tx, watch, { seen, waiting, run: null, problem }))
    return undefined
  }
}
