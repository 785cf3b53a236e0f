/** Owns how far a client has followed the ledger, over one connection after another: every entry is handed over once. */
import { LedgerEntryView } from '../api-ledger.ts'
import type { FollowLedgerFrame, ServerFrame } from '../frames.ts'

export interface LedgerFollowing {
  /** Asks for what comes after the last entry that was handed over. */
  frame(): FollowLedgerFrame
  take(frame: ServerFrame): void
}

export interface LedgerFollowingOptions extends Omit<FollowLedgerFrame, 'type'> {
  /** The oldest first; none where nothing of what was written matches. `size` is how long the whole ledger is. */
  readonly onEntries: (entries: readonly LedgerEntryView[], size: number) => void
}

export function createLedgerFollowing({ onEntries, ...asked }: LedgerFollowingOptions): LedgerFollowing {
  let { after } = asked
  return {
    frame: () => ({ type: 'follow_ledger', ...asked, after }),
    take(frame) {
      if (frame.type !== 'ledger' || frame.id !== asked.id || frame.after <= after) return
      const fresh = frame.entries
        .map((entry) => LedgerEntryView.parse(entry))
        .filter(({ seq }) => seq > after)
      after = frame.after
      onEntries(fresh, frame.size)
    },
  }
}
