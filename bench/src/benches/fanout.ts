/**
 * Events to a hundred clients, against a plain WebSocket server that sends the same bytes.
 *
 * Making an event costs a durable transaction, which is no part of delivering it. So a burst of events is committed
 * in one transaction, as another gateway process on the same database would, and then one real event, a pause or a
 * resume, makes the gateway deliver all of them. The plain server gets the same frames and sends them in the same
 * order. The time runs until the last client has the last frame. Because the clients share the machine and may be the
 * limit themselves, the servers' processor time for each frame is compared as well.
 */
import type { GatewayEvent } from '@countersign/contract'
import type { Installation } from '@countersign/harness'
import pg from 'pg'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { type BenchInstallation, openBenchInstallation } from '../bench-installation.ts'
import { cpuDuring, processGroup } from '../processes.ts'
import { median, rounded, timed } from '../sample.ts'
import type { SocketsAnswer, SocketsQuestion } from '../side/bare-sockets.ts'
import type { ListenersAnswer, ListenersQuestion } from '../side/listeners.ts'
import { type SideProcess, startSideProcess } from '../side-process.ts'
import { openSocketClient } from '../socket-client.ts'

export const fanout: Bench = {
  name: 'fanout',
  about: 'events/s to 100 clients, against a plain ws server that sends the same bytes',
  run: measure,
}

type Listeners = SideProcess<ListenersQuestion, ListenersAnswer>
type Bare = SideProcess<SocketsQuestion, SocketsAnswer>

const clients = 100

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const { rounds, burst } = small ? { rounds: 6, burst: 300 } : { rounds: 20, burst: 500 }
  const setting = await openBenchInstallation()
  const listeners: Listeners = startSideProcess('listeners.ts')
  const bare: Bare = startSideProcess('bare-sockets.ts')
  const database = new pg.Client({ ...setting.installation.databaseConnection() })
  try {
    await database.connect()
    const { url, client } = setting.gateway
    const bareUrl = await bare.ask({ kind: 'open' })
    const { run, session } = await oneRun(setting)
    await listeners.ask({ kind: 'open', url, count: clients, home: setting.installation.home })
    await listeners.ask({ kind: 'open', url: bareUrl, count: clients, home: null })
    const bareGroup = processGroup(bare.pid)

    const measured: Round[] = []
    for (let index = 0; index < rounds; index += 1) {
      const head = await commitEvents(database, setting.installation, burst, { run, session })
      const ours = await timedRound(setting.processes.gateway, listeners, url, burst + 1, () =>
        index % 2 === 0 ? client.pause() : client.resume(),
      )
      const frames = (await eventsAfter(setting, head, burst + 1)).map((event) =>
        JSON.stringify({ type: 'event', event }),
      )
      const plain = await timedRound(bareGroup, listeners, bareUrl, frames.length, () =>
        bare.ask({ kind: 'broadcast', frames }),
      )
      measured.push({ ours, bare: plain })
    }
    const warm = measured.slice(1)
    note(`fanout: ${warm.length} bursts of ${burst} events to ${clients} clients`)
    return reportOf(warm, burst + 1)
  } finally {
    await listeners.close()
    await bare.close()
    await database.end()
    await setting.close()
  }
}

interface Round {
  readonly ours: { readonly ms: number; readonly cpu: number }
  readonly bare: { readonly ms: number; readonly cpu: number }
}

async function timedRound(
  group: ReturnType<typeof processGroup>,
  listeners: Listeners,
  url: string,
  events: number,
  trigger: () => Promise<unknown>,
): Promise<{ ms: number; cpu: number }> {
  let ms = 0
  const { server } = await cpuDuring({ server: group }, async () => {
    const delivered = listeners.ask({ kind: 'await', url, events })
    ms = await timed(() => Promise.all([trigger(), delivered]))
  })
  return { ms, cpu: server }
}

/** Returns the number of the event before the first. */
async function commitEvents(
  database: pg.Client,
  installation: Installation,
  count: number,
  about: { readonly run: string; readonly session: string },
): Promise<number> {
  const { operator } = installation.identity.trust
  const text = 'A reply of some length, as people and models write them. '.repeat(4)
  const body = JSON.stringify({ type: 'turn.replied', ...about, turn: 1, text, calls: 0 })
  await database.query('begin')
  await database.query(`select set_config('app.operator', $1, true)`, [operator])
  const { rows } = await database.query<{ head: string }>(
    'update countersign.operators set event_seq = event_seq + $2 where id = $1 returning event_seq - $2 as head',
    [operator, count],
  )
  const head = Number(rows[0]?.head)
  await database.query(
    `insert into countersign.events (operator_id, at, seq, body)
     select $1, now(), $2::bigint + one, $4::json from generate_series(1, $3::int) as one`,
    [operator, head, count, body],
  )
  await database.query('commit')
  return head
}

async function eventsAfter(
  { gateway }: BenchInstallation,
  head: number,
  count: number,
): Promise<GatewayEvent[]> {
  const events = await gateway.client.events(head, count)
  if (events.length !== count) throw new Error(`${events.length} of ${count} events are there.`)
  return events
}

async function oneRun({
  gateway,
  installation,
}: BenchInstallation): Promise<{ run: string; session: string }> {
  const client = await openSocketClient(gateway.url, installation.signer)
  const { run, session } = await client.converse('hello', null)
  client.close()
  return { run, session }
}

function reportOf(rounds: readonly Round[], events: number): BenchResult {
  const frames = events * clients
  const total = (pick: (round: Round) => number) => rounds.reduce((sum, round) => sum + pick(round), 0)
  const ratio = median(rounds.map((round) => round.bare.ms / round.ours.ms))
  // Processor time comes in hundredths of a second, too coarse for one burst.
  const cpuRatio = total((round) => round.bare.cpu) / total((round) => round.ours.cpu)
  const perSecond = (pick: (round: Round) => number) => rounded((events / median(rounds.map(pick))) * 1_000)
  const perFrame = (cpu: number) => rounded((cpu / (frames * rounds.length)) * 1_000_000)
  return {
    figures: {
      eventsPerSecond: perSecond((round) => round.ours.ms),
      bareEventsPerSecond: perSecond((round) => round.bare.ms),
      ratio: rounded(ratio),
      serverCpuMicrosecondsPerFrame: perFrame(total((round) => round.ours.cpu)),
      bareCpuMicrosecondsPerFrame: perFrame(total((round) => round.bare.cpu)),
      cpuRatio: rounded(cpuRatio),
      clients,
      eventsPerBurst: events,
    },
    goals: [
      { name: 'ratio', value: ratio, kind: 'ratio', limit: { atLeast: 0.5 } },
      { name: 'cpuRatio', value: cpuRatio, kind: 'ratio', limit: { atLeast: 0.5 } },
    ],
  }
}
