/** One message to its final reply with a model that takes no time: what the gateway itself adds. */
import type { SessionId } from '@countersign/contract'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { openBenchInstallation } from '../bench-installation.ts'
import { cpuDuring } from '../processes.ts'
import { median, quantile, rounded, timed } from '../sample.ts'
import { openSocketClient, type SocketClient } from '../socket-client.ts'

export const message: Bench = {
  name: 'message',
  about: 'time from a message to its final reply, and messages/s for 20 sessions × 3',
  run: measure,
}

const sessionsAtOnce = 20
const messagesEach = 3

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const rounds = small ? 2 : 5
  const setting = await openBenchInstallation()
  try {
    const client = await openSocketClient(setting.gateway.url, setting.installation.signer)
    await client.converse('ping', null)
    const [pingBytes = Number.NaN] = await setting.requestBytes()

    const { session } = await client.converse('hello', null)
    await sequential(client, session, 10)
    const latencies = await sequential(client, session, 50)
    note(`message: p50 ${rounded(median(latencies))} ms over ${latencies.length} messages`)

    const sessions = await openSessions(client)
    await burst(client, sessions)
    const rates: number[] = []
    const cpu = await cpuDuring(setting.processes, async () => {
      for (let index = 0; index < rounds; index += 1) rates.push(await burst(client, sessions))
    })
    client.close()
    const messages = rounds * sessionsAtOnce * messagesEach
    const perMessage = Object.entries(cpu).map(([name, seconds]) => [
      name,
      rounded((seconds / messages) * 1_000),
    ])
    const p50 = median(latencies)
    const rate = median(rates)
    return {
      figures: {
        p50Ms: rounded(p50),
        p95Ms: rounded(quantile(latencies, 0.95)),
        messagesPerSecond: rounded(rate),
        cpuMsPerMessage: Object.fromEntries(perMessage) as Record<string, number>,
        pingBytes,
        peerPingBytes: 60_505,
      },
      goals: [
        { name: 'p50Ms', value: p50, kind: 'time', limit: { atMost: 40 } },
        { name: 'messagesPerSecond', value: rate, kind: 'time', limit: { atLeast: 60 } },
      ],
    }
  } finally {
    await setting.close()
  }
}

async function sequential(client: SocketClient, session: SessionId, count: number): Promise<number[]> {
  const latencies: number[] = []
  for (let index = 0; index < count; index += 1)
    latencies.push((await client.converse(`message ${index}`, session)).ms)
  return latencies
}

async function openSessions(client: SocketClient): Promise<SessionId[]> {
  const opened = Array.from({ length: sessionsAtOnce }, () => client.converse('hello', null))
  return (await Promise.all(opened)).map((ended) => ended.session)
}

/** Everything is sent at once; each session answers its own in order. Returns messages a second. */
async function burst(client: SocketClient, sessions: readonly SessionId[]): Promise<number> {
  const ms = await timed(() =>
    Promise.all(
      sessions.flatMap((session) =>
        Array.from({ length: messagesEach }, (_, index) => client.converse(`message ${index}`, session)),
      ),
    ),
  )
  return ((sessions.length * messagesEach) / ms) * 1_000
}
