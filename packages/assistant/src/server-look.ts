/**
 * Owns one look at a server that is taken in once: its call is noted when it begins, so that what was seen when the gateway
 * ended is taken in after it starts again.
 */
import { CountersignError, type RunId } from '@countersign/contract'
import type { CallEnd, ServerCalls } from './server-calls.ts'

export interface ServerLook<Taken> {
  /** A look that was begun and not taken in. */
  readonly run: RunId | null
  readonly tool: string
  readonly args: object
  note(run: RunId): Promise<unknown>
  /** It could not even be asked for. */
  refused(problem: string): Promise<unknown>
  /** In one transaction; whoever comes second finds that it was taken in. */
  take(run: RunId, end: CallEnd): Promise<Taken>
}

/** Nothing where there was no look, or the gateway ends. */
export async function lookAtServer<Taken>(
  look: ServerLook<Taken>,
  calls: ServerCalls,
  closing: AbortSignal,
): Promise<Taken | undefined> {
  const run = look.run ?? (await begin(look, calls))
  if (run === undefined) return undefined
  const end = await calls.settled(run, closing)
  return closing.aborted ? undefined : look.take(run, end)
}

async function begin(look: ServerLook<unknown>, calls: ServerCalls): Promise<RunId | undefined> {
  try {
    const run = await calls.begin(look.tool, look.args)
    await look.note(run)
    return run
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    const said = [error.message, error.next].filter((part) => part !== undefined).join(' ')
    await look.refused(said.slice(0, 500))
    return undefined
  }
}
