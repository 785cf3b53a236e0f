/**
 * What channels add to a message, and what they cost: people write in the chats of five platforms that speak their real
 * protocols, each behind an adapter in its own process, and read the answers there. The scripted model takes no time.
 *
 * What a channel adds is the time from the platform's own hands to the platform's hands, without that of the run
 * between them, which a message from anywhere has.
 */
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  openSignalPlatform,
  openTelegramPlatform,
  openWhatsappPlatform,
  type Person,
  startMqtt,
  startWebhook,
  type TestChat,
  type TestPlatform,
  webDelivery,
} from '@countersign/channels/testing'
import { Client } from 'pg'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { type BenchInstallation, openBenchInstallation } from '../bench-installation.ts'
import { cpuDuring, processGroup, pssOfCommand } from '../processes.ts'
import { openProduct } from '../product.ts'
import { median, quantile, rounded } from '../sample.ts'

export const channels: Bench = {
  name: 'channels',
  about: 'what channels add to a message, with chats on five of them; memory of each adapter',
  run: measure,
}

const platformsByKind = {
  telegram: openTelegramPlatform,
  whatsapp: openWhatsappPlatform,
  signal: openSignalPlatform,
  mqtt: startMqtt,
  webhook: startWebhook,
} as const

interface Front {
  readonly kind: string
  readonly platform: TestPlatform
  readonly people: readonly { readonly who: Person; readonly chat: TestChat }[]
}

interface Size {
  readonly chatsEach: number
  readonly seconds: number
  readonly perSecond: number
}

const patienceMs = 120_000

async function measure({ small, rate, note }: BenchOptions): Promise<BenchResult> {
  const size: Size = small
    ? { chatsEach: 4, seconds: 10, perSecond: rate ?? 10 }
    : { chatsEach: 200, seconds: 600, perSecond: rate ?? 50 }
  const product = await openProduct()
  const { installed, command } = product
  const setting = await openBenchInstallation(installed ? join(dirname(command), 'gateway.js') : undefined)
  const fronts: Front[] = []
  try {
    const gateway = alone(setting)
    const bare = gateway()
    for (const [kind, open] of Object.entries(platformsByKind))
      fronts.push(frontOf(kind, await open(), size.chatsEach))
    await Promise.all(fronts.map((front) => enter(setting, front)))
    note(`channels: ${fronts.length * size.chatsEach} people are let in on ${fronts.length} channels`)

    const memory: number[] = []
    const said = new Map<string, number>()
    const cpu = await cpuDuring(setting.processes, async () => {
      const watching = watch(gateway, size, memory)
      await write(fronts, size, said)
      await watching
      await settled(setting, said.size)
    })
    // In this order: what is shown was sent by the time that the rows are read.
    const seen = fronts.flatMap(({ platform, people }) =>
      people.map(({ chat }) => platform.shown(chat).filter(({ text }) => text === answer).length),
    )
    const rows = await readAnswers(setting)
    return reportOf({ size, said, rows, seen, bare, memory, cpu, adapters: adapterMemory(setting) })
  } finally {
    await setting.close()
    product.close()
    for (const { platform } of fronts) await platform.close()
  }
}

/** What the scripted model says to everything. */
const answer = 'Done.'

function frontOf(kind: string, platform: TestPlatform, count: number): Front {
  const people = Array.from({ length: count }, (_, index) => platform.joins?.(index))
  return { kind, platform, people: people.filter((one) => one !== undefined) }
}

/** Adds the channel and lets everybody in, one by one, as an operator would. */
async function enter(setting: BenchInstallation, { kind, platform, people }: Front): Promise<void> {
  const { client, url } = setting.gateway
  platform.reach?.(webDelivery(() => url, kind))
  const { settings, secrets } = platform
  await client.storeChannel(kind, { kind, settings, secrets, choices: {} })
  const isConnected = async () =>
    (await client.channels()).some(({ name, state }) => name === kind && state === 'connected')
  await holds(isConnected, `${kind} is not connected.`)
  for (const { who, chat } of people) {
    await platform.says(who, chat, 'hello')
    const codeOf = () =>
      /[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}/.exec(platform.shown(chat).at(-1)?.text ?? '')?.[0]
    await holds(() => codeOf() !== undefined, `${who.name} was shown no code in ${kind}.`)
    const limits = { messagesPerHour: 1_000, dailyUsd: 1_000 }
    await client.admitPeer({ code: codeOf() ?? '', role: 'guest', limits })
  }
}

/** By the clock, however far behind the answers are; each chat in turn. */
async function write(fronts: readonly Front[], size: Size, said: Map<string, number>): Promise<void> {
  const places = fronts[0]?.people.flatMap((_, index) =>
    fronts.flatMap(({ platform, people }) => {
      const person = people[index]
      return person ? [{ platform, ...person }] : []
    }),
  )
  const began = performance.now()
  const saying: Promise<unknown>[] = []
  for (let index = 0; index < size.seconds * size.perSecond; index += 1) {
    await sleep(Math.max(0, began + (index * 1_000) / size.perSecond - performance.now()))
    const place = places?.[index % places.length]
    if (!place) throw new Error('Nobody is there to write.')
    const text = `message ${index}`
    said.set(text, Date.now())
    saying.push(place.platform.says(place.who, place.chat, text))
  }
  await Promise.all(saying)
}

/** The memory of the gateway, ten times over the run. */
async function watch(megabytes: () => number, { seconds }: Size, memory: number[]): Promise<void> {
  for (let index = 0; index < 10; index += 1) {
    await sleep(seconds * 100)
    memory.push(megabytes())
  }
}

/** The memory of the gateway's own process, without those that it started. */
function alone({ gateway, processes }: BenchInstallation): () => number {
  return processGroup(gateway.pid, () => processes.gateway.pids().filter((pid) => pid !== gateway.pid))
    .pssMegabytes
}

interface Answered {
  readonly text: string
  readonly admittedAt: Date
  readonly endedAt: Date
  readonly sentAt: Date | null
  readonly state: string
}

async function readAnswers(setting: BenchInstallation): Promise<readonly Answered[]> {
  return inDatabase(setting, async (client) => {
    const { rows } = await client.query<Answered>(
      `select i.text, i.created_at as "admittedAt", r.ended_at as "endedAt", o.sent_at as "sentAt", o.state
       from inputs i join runs r on r.input_id = i.id
       join channel_outbox o on o.about = r.id and o.kind = 'reply'
       where i.key like 'channel/%'`,
    )
    return rows
  })
}

async function settled(setting: BenchInstallation, wanted: number): Promise<void> {
  await inDatabase(setting, async (client) => {
    const isSettled = async () => {
      const { rows } = await client.query<{ open: number; sent: number }>(
        `select count(*) filter (where state in ('waiting', 'sending'))::int as open,
                count(*) filter (where kind = 'reply')::int as sent from channel_outbox`,
      )
      return rows[0]?.open === 0 && rows[0].sent >= wanted
    }
    // What does not come is counted as lost. Asked seldom: it reads all that was ever sent.
    await until(isSettled, 1_000)
  })
}

async function inDatabase<T>(setting: BenchInstallation, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(setting.installation.databaseConnection())
  await client.connect()
  try {
    const { operator } = setting.installation.identity.trust
    await client.query("select set_config('app.operator', $1, false)", [operator])
    return await work(client)
  } finally {
    await client.end()
  }
}

function adapterMemory({ gateway, processes }: BenchInstallation): Record<string, number> {
  const pids = processes.gateway.pids().filter((pid) => pid !== gateway.pid)
  return Object.fromEntries(Object.keys(platformsByKind).map((kind) => [kind, pssOfCommand(pids, kind)]))
}

async function until(wanted: () => Promise<boolean> | boolean, pauseMs = 10): Promise<boolean> {
  const end = Date.now() + patienceMs
  while (!(await wanted())) {
    if (Date.now() > end) return false
    await sleep(pauseMs)
  }
  return true
}

async function holds(wanted: () => Promise<boolean> | boolean, problem: string): Promise<void> {
  if (!(await until(wanted))) throw new Error(problem)
}

interface Outcome {
  readonly size: Size
  /** When each was said, by its text. */
  readonly said: ReadonlyMap<string, number>
  readonly rows: readonly Answered[]
  /** How many answers stand in each chat. */
  readonly seen: readonly number[]
  /** Of the gateway before it had a channel. */
  readonly bare: number
  readonly memory: readonly number[]
  readonly cpu: Readonly<Record<string, number>>
  readonly adapters: Readonly<Record<string, number>>
}

function reportOf({ size, said, rows, seen, bare, memory, cpu, adapters }: Outcome): BenchResult {
  const sent = rows.flatMap(({ text, admittedAt, endedAt, sentAt }) => {
    const at = said.get(text)
    if (at === undefined || sentAt === null) return []
    const whole = sentAt.getTime() - at
    return [{ whole, added: whole - (endedAt.getTime() - admittedAt.getTime()) }]
  })
  const added = sent.map((one) => one.added)
  const whole = sent.map((one) => one.whole)
  const shown = seen.reduce((sum, count) => sum + count, 0)
  const addedP95 = quantile(added, 0.95)
  // The first tenths warm up.
  const growth = Math.max(...memory.slice(7)) / Math.max(...memory.slice(2, 5))
  const largest = Math.max(...Object.values(adapters))
  return {
    figures: {
      messages: said.size,
      chats: seen.length,
      perSecond: size.perSecond,
      addedP50Ms: rounded(median(added)),
      addedP95Ms: rounded(addedP95),
      answeredP50Ms: rounded(median(whole)),
      answeredP95Ms: rounded(quantile(whole, 0.95)),
      shown,
      cpuMsPerMessage: Object.fromEntries(
        Object.entries(cpu).map(([name, seconds]) => [name, rounded((seconds / said.size) * 1_000)]),
      ),
      gatewayMegabytesBefore: rounded(bare),
      gatewayMegabytes: memory.map((one) => rounded(one)),
      adapterMegabytes: Object.fromEntries(
        Object.entries(adapters).map(([kind, megabytes]) => [kind, rounded(megabytes)]),
      ),
    },
    goals: [
      { name: 'addedP95Ms', value: addedP95, kind: 'time', limit: { atMost: 150 } },
      { name: 'lost', value: said.size - sent.length, kind: 'size', limit: { atMost: 0 } },
      { name: 'doubled', value: shown - sent.length, kind: 'size', limit: { atMost: 0 } },
      { name: 'growth', value: growth, kind: 'memory', limit: { atMost: 1.1 } },
      { name: 'adapterMegabytes', value: largest, kind: 'memory', limit: { atMost: 40 } },
    ],
  }
}
