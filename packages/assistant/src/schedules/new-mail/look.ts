/** Owns one look for new e-mails: the call that looks, and taking in what it found. */
import type { AssistantContext } from '../../assistant-context.ts'
import type { ServerCalls } from '../../server-calls.ts'
import { lookAtServer } from '../../server-look.ts'
import type { Scheduler } from '../scheduler.ts'
import { takeLook } from './take-look.ts'
import { mailWatches, moveWatch, noteLook } from './watches.ts'

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
  const { seen, waiting, trigger } = watch
  const { account, folder, from, subject } = trigger
  const started = await lookAtServer(
    {
      run: watch.run,
      tool: 'look_for_new_emails',
      args: {
        account,
        folder,
        ...(seen ? { after: seen } : {}),
        ...(from === undefined ? {} : { from }),
        ...(subject === undefined ? {} : { subject }),
      },
      note: (run) => records.change(operator, (tx) => noteLook(tx, watch, run)),
      refused: (problem) =>
        records.change(operator, (tx) => moveWatch(tx, watch, { seen, waiting, run: null, problem })),
      take: async (run, end) =>
        (await records.change(operator, (tx) => takeLook(tx, id, { run, end }, scheduler.fire))).value,
    },
    calls,
    closing,
  )
  return started ?? 0
}
