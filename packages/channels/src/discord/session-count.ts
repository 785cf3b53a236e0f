/** Owns how far a session was taken: what it told is numbered, and a later number may be taken before an earlier one. */
import type { GatewaySession } from './gateway.ts'

export interface SessionCount {
  /** The numbers begin anew. */
  begin(session: GatewaySession): void
  told(seq: number): void
  /** Something waits to be taken; to be called when it is. */
  waits(seq: number): () => void
  /** Where to go on after a restart: what was not taken is told again. */
  taken(): GatewaySession | null
}

export function createSessionCount(before: GatewaySession | null): SessionCount {
  let session = before
  /** In the order in which it was told. */
  let waiting = new Set<{ readonly seq: number }>()
  return {
    begin(begun) {
      session = begun
      waiting = new Set()
    },
    told(seq) {
      if (session) session = { ...session, seq: Math.max(seq, session.seq) }
    },
    waits(seq) {
      const one = { seq }
      const among = waiting
      among.add(one)
      return () => void among.delete(one)
    },
    taken() {
      const [first] = waiting
      return session && { ...session, seq: first ? first.seq - 1 : session.seq }
    },
  }
}
