/**
 * A streamed reply through the gateway, against the package of the provider alone, on the same scripted model.
 *
 * Both sides are clients in this process and take turns. The first token is timed from the sending of a message to the
 * first characters on the WebSocket, the total to the end of the run. The gateway shows at most twenty pieces a second
 * and sends the rest with the whole reply, so tokens are counted by the replies and not by frames. Of many replies at
 * once, the rate of streaming runs from the first characters of each to its end; the rate of the whole also counts what
 * it takes to begin twenty runs at once, which the bench `message` is about.
 */
import type { SessionId } from '@countersign/contract'
import { type Installation, openInstallation } from '@countersign/harness'
import type { Bench, BenchOptions, BenchResult, Figure } from '../bench.ts'
import { cpuDuring, type ProcessGroup, processGroup } from '../processes.ts'
import { median, quantile, rounded, timed } from '../sample.ts'
import type { StreamingAnswer, StreamingQuestion } from '../side/streaming-model.ts'
import { type SideProcess, startSideProcess } from '../side-process.ts'
import { openSocketClient } from '../socket-client.ts'
import { openBare } from './model/bare-stream.ts'
import { openGatewayStreams } from './model/gateway-stream.ts'
import type { Ask, Stream } from './model/stream.ts'

export const model: Bench = {
  name: 'model',
  about: 'first token and whole reply through the gateway, against the provider package alone',
  run: measure,
}

type Model = SideProcess<StreamingQuestion, StreamingAnswer>

const sessionsAtOnce = 20
const tokens = 100
const charactersEach = 5
/** Milliseconds before each token. */
const paces = [5, 0] as const

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const { replies, rounds } = small ? { replies: 15, rounds: 3 } : { replies: 60, rounds: 9 }
  const server: Model = startSideProcess('streaming-model.ts')
  const started = await server.ask({ kind: 'start' })
  if (!('url' in started)) throw new Error('The scripted model did not start.')
  const baseUrl = `${started.url}/v1`
  const installation = await openInstallation({
    script: () => ({ status: 500 }),
    environment: { COUNTERSIGN_MODEL_URL: baseUrl, COUNTERSIGN_MODEL_KEY: '' },
  })
  try {
    const gateway = await installation.start()
    const sessions = await openSessions(gateway.url, installation)
    const bare = openBare(baseUrl)
    const through = await openGatewayStreams(gateway.url, installation.signer, sessions)

    await alone({ bare, through: through.ask }, { pace: 0, replies: 10 }, server)
    const slow = await alone({ bare, through: through.ask }, { pace: paces[0], replies }, server)
    const fast = await alone({ bare, through: through.ask }, { pace: paces[1], replies }, server)
    note(`model: ${replies} replies at each pace, one after another`)

    const processes = {
      gateway: processGroup(gateway.pid, () => [installation.databasePid() ?? 0]),
      postgres: processGroup(installation.databasePid() ?? 0),
      model: processGroup(server.pid),
    }
    const crowd = await together({ bare, through: through.ask }, rounds, processes)
    note(`model: ${rounds} rounds of ${sessionsAtOnce} replies at once`)
    const admittedMs = rounded(median(through.admittedMs.slice(0, 10 + 2 * replies)))
    through.close()
    return reportOf(slow, fast, crowd, admittedMs)
  } finally {
    await installation.close()
    await server.close()
  }
}

interface Sides {
  readonly bare: Ask
  readonly through: Ask
}

/** Milliseconds from the sending of a message, each the median. */
interface Course {
  /** Until the model had the request. */
  readonly asked: number
  readonly first: number
  readonly total: number
  readonly firstP95: number
  readonly totalP95: number
}

interface Alone {
  readonly bare: Course
  readonly through: Course
}

async function alone(
  { bare, through }: Sides,
  { pace, replies }: { readonly pace: number; readonly replies: number },
  server: Model,
): Promise<Alone> {
  const seen: { bare: Stream[]; through: Stream[] } = { bare: [], through: [] }
  for (let index = 0; index < replies; index += 1) {
    seen.bare.push(await bare(`${pace} bare ${index}`, index))
    seen.through.push(await through(`${pace} through ${index}`, index))
  }
  const answer = await server.ask({ kind: 'asked' })
  const asked = new Map('asked' in answer ? answer.asked : [])
  const courseOf = (streams: readonly Stream[]): Course => ({
    asked: median(streams.map((stream) => (asked.get(stream.words) ?? Number.NaN) - stream.beganAt)),
    first: median(streams.map((stream) => stream.firstMs)),
    total: median(streams.map((stream) => stream.totalMs)),
    firstP95: quantile(
      streams.map((stream) => stream.firstMs),
      0.95,
    ),
    totalP95: quantile(
      streams.map((stream) => stream.totalMs),
      0.95,
    ),
  })
  return { bare: courseOf(seen.bare), through: courseOf(seen.through) }
}

/** Tokens a second of all replies at once. */
interface Rates {
  /** While they stream. */
  readonly streaming: number
  /** From the first message to the last end. */
  readonly whole: number
}

interface Crowd {
  readonly rounds: readonly { readonly bare: Rates; readonly through: Rates }[]
  readonly cpuMsPerReply: Readonly<Record<string, number>>
  /** The share of the characters that came while the replies streamed. */
  readonly shown: number
}

async function together(
  { bare, through }: Sides,
  count: number,
  processes: Readonly<Record<string, ProcessGroup>>,
): Promise<Crowd> {
  await askAll(bare, 'warm')
  await askAll(through, 'warm')
  const rounds: { bare: Rates; through: Rates }[] = []
  const spent: Record<string, number> = {}
  let characters = 0
  for (let index = 0; index < count; index += 1) {
    const alone = await askAll(bare, 'bare')
    let ours: Together | undefined
    const cpu = await cpuDuring(processes, async () => {
      ours = await askAll(through, 'through')
    })
    if (!ours) throw new Error('Nothing was measured.')
    rounds.push({ bare: alone.rates, through: ours.rates })
    characters += ours.characters
    for (const [name, seconds] of Object.entries(cpu)) spent[name] = (spent[name] ?? 0) + seconds
  }
  const replies = count * sessionsAtOnce
  return {
    rounds,
    cpuMsPerReply: Object.fromEntries(
      Object.entries(spent).map(([name, seconds]) => [name, rounded((seconds / replies) * 1_000)]),
    ),
    shown: characters / (replies * tokens * charactersEach),
  }
}

interface Together {
  readonly rates: Rates
  readonly characters: number
}

async function askAll(ask: Ask, name: string): Promise<Together> {
  let streams: readonly Stream[] = []
  const ms = await timed(async () => {
    const lanes = Array.from({ length: sessionsAtOnce }, (_, lane) =>
      ask(`${paces[0]} ${name} ${lane}`, lane),
    )
    streams = await Promise.all(lanes)
  })
  const perSecond = streams.map(({ firstMs, totalMs }) => ((tokens - 1) / (totalMs - firstMs)) * 1_000)
  return {
    rates: { streaming: sum(perSecond), whole: ((sessionsAtOnce * tokens) / ms) * 1_000 },
    characters: sum(streams.map((stream) => stream.characters)),
  }
}

async function openSessions(url: string, installation: Installation): Promise<SessionId[]> {
  const client = await openSocketClient(url, installation.signer)
  const opened = Array.from({ length: sessionsAtOnce }, () => client.converse('0 hello', null))
  const sessions = (await Promise.all(opened)).map((ended) => ended.session)
  client.close()
  return sessions
}

function reportOf(slow: Alone, fast: Alone, crowd: Crowd, admittedMs: number): BenchResult {
  const { rounds } = crowd
  const ratioOf = (rate: keyof Rates) => median(rounds.map(({ bare, through }) => through[rate] / bare[rate]))
  const rateOf = (side: 'bare' | 'through', rate: keyof Rates) =>
    rounded(median(rounds.map((round) => round[side][rate])))
  const added = (of: keyof Course, { bare, through }: Alone) => through[of] - bare[of]
  return {
    figures: {
      slow: courseFigures(slow),
      fast: courseFigures(fast),
      admittedMs,
      streamingTokensPerSecond: rateOf('through', 'streaming'),
      bareStreamingTokensPerSecond: rateOf('bare', 'streaming'),
      wholeTokensPerSecond: rateOf('through', 'whole'),
      bareWholeTokensPerSecond: rateOf('bare', 'whole'),
      wholeRatio: rounded(ratioOf('whole')),
      shownWhileStreaming: rounded(crowd.shown),
      cpuMsPerReply: { ...crowd.cpuMsPerReply },
    },
    goals: [
      { name: 'addedFirstMs', value: added('first', slow), kind: 'time', limit: { atMost: 15 } },
      { name: 'addedTotalMs', value: added('total', slow), kind: 'time', limit: { atMost: 15 } },
      { name: 'undelayedAddedFirstMs', value: added('first', fast), kind: 'time', limit: { atMost: 15 } },
      { name: 'undelayedAddedTotalMs', value: added('total', fast), kind: 'time', limit: { atMost: 15 } },
      { name: 'streamingRatio', value: ratioOf('streaming'), kind: 'ratio', limit: { atLeast: 0.8 } },
    ],
  }
}

/** Where the milliseconds go: before the model has the request, on the way of the first token, after the last. */
function courseFigures({ bare, through }: Alone): Figure {
  const between = (of: (course: Course) => number) => rounded(of(through) - of(bare))
  return {
    bare: roundedAll(bare),
    through: roundedAll(through),
    addedBeforeRequestMs: between((course) => course.asked),
    addedToFirstMs: between((course) => course.first - course.asked),
    addedAfterRequestMs: between((course) => course.total - course.asked),
  }
}

function roundedAll(course: Course): Figure {
  return Object.fromEntries(
    Object.entries(course).map(([name, value]) => [`${name}Ms`, rounded(value as number)]),
  )
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
