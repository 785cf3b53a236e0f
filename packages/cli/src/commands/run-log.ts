/** Owns the log of one run: its events as they were written, oldest first. */
import type { GatewayEvent } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'

const page = 1_000

/** All events of a run after a number. */
export async function runLog(
  client: Pick<Client, 'runEvents'>,
  run: string,
  after = 0,
): Promise<GatewayEvent[]> {
  const events: GatewayEvent[] = []
  for (let since = after; ; ) {
    const next = await client.runEvents(run, { since, limit: page })
    events.push(...next)
    const last = next.at(-1)
    if (!last || next.length < page) return events
    since = last.seq
  }
}
