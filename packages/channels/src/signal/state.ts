/** Owns what the channel keeps over a restart: who we are, and what signal-cli handed out and the gateway has not taken yet. */
import { z } from 'zod'
import { InboundEvent } from '../frame/events.ts'

const State = z.object({
  aci: z.string().nullable(),
  waiting: z.array(InboundEvent).catch([]),
})
export type SignalState = z.infer<typeof State>

/** What the gateway keeps of one channel at most; see `frame/protocol.ts`. */
const mostKept = 90_000

export function readState(text: string | null): SignalState {
  const nothing = { aci: null, waiting: [] }
  if (text === null) return nothing
  try {
    return State.parse(JSON.parse(text))
  } catch {
    // Kept by another version: messages come again as far as Signal has them.
    return nothing
  }
}

/** As much as fits, the oldest first. */
export function writeState({ aci, waiting }: SignalState): string {
  const kept: InboundEvent[] = []
  let size = 0
  for (const event of waiting) {
    size += JSON.stringify(event).length + 1
    if (size > mostKept) break
    kept.push(event)
  }
  return JSON.stringify({ aci, waiting: kept })
}
