/** Owns what the database says of a storm, read past the product. */
import type { Installation } from '@countersign/harness'
import { Client } from 'pg'

export interface StormRows {
  /** What was admitted, in the order of the lanes. */
  readonly inputs: readonly { readonly text: string; readonly session: string }[]
  readonly deliveries: readonly {
    readonly chat: string
    readonly kind: string
    readonly text: string
    readonly state: string
  }[]
}

export async function readRows(installation: Installation, channel: string): Promise<StormRows> {
  return withDatabase(installation, async (client) => ({
    inputs: (
      await client.query<StormRows['inputs'][number]>(
        `select text, session_id as session from inputs where key like $1 order by position`,
        [`channel/${channel}/%`],
      )
    ).rows,
    deliveries: (
      await client.query<StormRows['deliveries'][number]>(
        `select chat, kind, text, state from channel_outbox where channel = $1 order by position`,
        [channel],
      )
    ).rows,
  }))
}

/** What was admitted, and how much is still on its way in either direction. */
export async function waitingRows(
  installation: Installation,
  channel: string,
): Promise<{ admitted: number; waiting: number }> {
  return withDatabase(installation, async (client) => {
    const { rows } = await client.query<{ admitted: number; waiting: number }>(
      `select
        (select count(*) from inputs where key like $1)::int as admitted,
        (select count(*) from channel_inbox where channel = $2 and state = 'waiting')::int
          + (select count(*) from channel_outbox where channel = $2 and state in ('waiting', 'sending'))::int
          + (select count(*) from runs r join inputs i on i.id = r.input_id where i.key like $1
              and r.state <> 'stopped')::int
          + (select count(*) from inputs where key like $1 and run_id is null)::int
          + (select count(*) from runs r join inputs i on i.id = r.input_id where i.key like $1
              and r.reason = 'completed'
              and not exists (select 1 from channel_outbox o where o.about = r.id and o.kind = 'reply'))::int
          as waiting`,
      [`channel/${channel}/%`, channel],
    )
    return rows[0] ?? { admitted: 0, waiting: 1 }
  })
}

async function withDatabase<T>(installation: Installation, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(installation.databaseConnection())
  // A database that is killed meanwhile is asked again by whoever waits.
  client.on('error', () => undefined)
  await client.connect()
  await client.query("select set_config('app.operator', $1, false)", [installation.identity.trust.operator])
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
