/**
 * Owns a connection that is made again whenever it is lost: after a moment at first, later where it is lost again and
 * again, however well it worked in between.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type ChannelContext, RejectedError } from './adapter.ts'

export interface Account {
  readonly id: string
  readonly name: string
}

/** One connection: says when it stands, and ends with why it was lost. */
export type OneConnection = (standing: (account: Account) => void) => Promise<string>

const rememberedMs = 10 * 60_000
const briefPauses = 10
const briefMs = 300
const longestMs = 60_000

/**
 * Resolves after the first try, whatever became of it, with the end of all of them; rejects where a person must change
 * something before it can work.
 */
export async function keepConnected(
  context: Pick<ChannelContext<unknown>, 'connected' | 'disconnected' | 'signal'>,
  connect: OneConnection,
): Promise<{ readonly ended: Promise<void> }> {
  const first = Promise.withResolvers<void>()
  const ended = stay(context, connect, first)
  await first.promise
  return { ended }
}

async function stay(
  { connected, disconnected, signal }: Pick<ChannelContext<unknown>, 'connected' | 'disconnected' | 'signal'>,
  connect: OneConnection,
  first: PromiseWithResolvers<void>,
): Promise<void> {
  let losses: number[] = []
  let isFirst = true
  const settled = () => {
    isFirst = false
    first.resolve()
  }
  while (!signal.aborted) {
    let problem: string
    try {
      problem = await connect((account) => {
        if (signal.aborted) return
        connected(account)
        settled()
      })
    } catch (error) {
      if (isFirst && error instanceof RejectedError) return first.reject(error)
      problem = error instanceof Error ? error.message : String(error)
    }
    if (signal.aborted) break
    disconnected(problem)
    settled()
    const now = Date.now()
    losses = [...losses.filter((at) => now - at < rememberedMs), now]
    const next = Math.min(briefMs * 2 ** Math.max(0, losses.length - briefPauses), longestMs)
    await pause(next, undefined, { signal }).catch(() => undefined)
  }
  settled()
}
