/** Owns the log of a run as it can be gone through again: the same events, by the same reducer, up to any of them. Pure but for the fetching. */
import { emptyLive, fold, type GatewayEvent, type LiveState, type RunId } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'

const page = 1_000
const mostEvents = 20_000

/** All events of a run, oldest first. */
export async function runLog(client: Client, run: RunId): Promise<readonly GatewayEvent[]> {
  const events: GatewayEvent[] = []
  for (let since = 0; events.length < mostEvents; ) {
    const next = await client.runEvents(run, { since, limit: page })
    events.push(...next)
    const last = next.at(-1)
    if (!last || next.length < page) break
    since = last.seq
  }
  return events
}

/** What was on the screen after so many events. */
export function stateAfter(events: readonly GatewayEvent[], count: number): LiveState {
  return fold(emptyLive, events.slice(0, count))
}

/** How long to wait before the next event at a speed; pauses for a person are not waited through. */
export function pauseBefore(events: readonly GatewayEvent[], at: number, speed: number): number {
  const [here, next] = [events[at - 1], events[at]]
  if (!here || !next) return 0
  const gap = Date.parse(next.at) - Date.parse(here.at)
  return Math.min(1_500, Math.max(60, gap / speed))
}
