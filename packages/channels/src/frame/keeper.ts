/** Owns how a state that changes often is kept: the latest one, once at a time. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelContext } from './adapter.ts'

export interface Keeper {
  /** What is the state now is kept soon. */
  changed(): void
}

const againMs = 1_000

export function createKeeper(
  { keep, signal }: Pick<ChannelContext<unknown>, 'keep' | 'signal'>,
  state: () => string,
): Keeper {
  let isKeeping = false
  let isStale = false

  async function run(): Promise<void> {
    while (isStale && !signal.aborted) {
      isStale = false
      try {
        await keep(state())
      } catch {
        // It is kept again; whatever was not kept is told again after a restart.
        isStale = true
        await sleep(againMs, undefined, { signal }).catch(() => undefined)
      }
    }
    isKeeping = false
  }

  return {
    changed() {
      isStale = true
      if (isKeeping) return
      isKeeping = true
      void run()
    },
  }
}
