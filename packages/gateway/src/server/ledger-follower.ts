/**
 * Owns the entries of the ledger on one connection: after the last that the client has, in order, each once. It reads
 * when it is woken and never by itself, a window at a time, and reads on only when the client has taken the last one.
 */
import type { AskLedger, FollowLedgerFrame, LedgerFrame, LedgerPage } from '@countersign/contract'

export interface LedgerFollowerPorts {
  readonly page: (ask: AskLedger) => Promise<LedgerPage>
  /** Resolves when the connection has taken it. */
  readonly send: (frame: LedgerFrame) => Promise<void>
  /** It can go on no more; the client comes back and asks from where it was. */
  readonly fail: (error: unknown) => void
}

export interface LedgerFollower {
  /** There may be more. */
  wake(): void
  stop(): void
}

/** So many numbers are looked at for one frame, whether or not they match. */
export const ledgerWindow = 100

export function createLedgerFollower(
  { id, q, ...asked }: Omit<FollowLedgerFrame, 'type' | 'language'>,
  ports: LedgerFollowerPorts,
): LedgerFollower {
  let { after } = asked
  let stopped = false
  let woken = false
  let busy = false

  async function bring(): Promise<void> {
    while (woken && !stopped) {
      woken = false
      while (await bringWindow());
    }
  }

  /** Whether there is more. */
  async function bringWindow(): Promise<boolean> {
    const end = after + ledgerWindow
    const ask = { q, after, before: end + 1, limit: ledgerWindow, facets: 'no' as const }
    const { entries, size } = await ports.page(ask)
    const reached = Math.min(end, size)
    if (stopped || reached <= after) return false
    await ports.send({ type: 'ledger', id, entries: entries.toReversed(), after: reached, size })
    after = reached
    return !stopped && after < size
  }

  return {
    wake() {
      woken = true
      if (busy || stopped) return
      busy = true
      bring()
        .catch((error: unknown) => {
          stopped = true
          ports.fail(error)
        })
        .finally(() => {
          busy = false
        })
    },
    stop() {
      stopped = true
    },
  }
}
