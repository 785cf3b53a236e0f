/** Owns one storm: people write in chats of every channel while everything that can die is killed, and then all is counted. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Person, type TestChat, type TestPlatform, webDelivery } from '@countersign/channels/testing'
import { CountersignError } from '@countersign/contract'
import { type GatewayProcess, type Installation, openInstallation } from '@countersign/harness'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { until } from '../../until.ts'
import { adapterPids } from './adapter-pids.ts'
import { findWrongLines, findWrongs, type StormReport } from './oracle.ts'
import type { PlatformEntry } from './platforms.ts'
import { readRows, waitingRows } from './rows.ts'

export interface StormOptions {
  /** For each kind. */
  readonly messages: number
  readonly random: Random
  readonly log: (line: string) => void
  readonly mutant?: string
}

/** One kind of channel in the storm, under its own name. */
interface Front {
  readonly entry: PlatformEntry
  readonly platform: TestPlatform
  readonly said: Said[]
}

interface Said {
  readonly who: Person
  readonly chat: TestChat
  readonly texts: string[]
  /** What the platform calls the first of them. */
  first?: string
}

interface Bench {
  readonly fronts: readonly Front[]
  readonly installation: Installation
  gateway: GatewayProcess
}

const messagesPerKill = 10
const patienceMs = 180_000
const mutantPatienceMs = 30_000

export async function storm(
  entries: readonly PlatformEntry[],
  options: StormOptions,
): Promise<ReadonlyMap<string, StormReport>> {
  const installation = await openInstallation({
    script: ({ lastUser }) => ({ text: `echo ${lastUser}` }),
    ...(options.mutant ? { nodeArguments: ['--import', mutantPath(options.mutant)] } : {}),
  })
  const fronts: Front[] = []
  try {
    for (const entry of entries) fronts.push(frontOf(entry, await entry.open()))
    const bench: Bench = { fronts, installation, gateway: await installation.start() }
    await Promise.all(fronts.map((front) => open(bench, front)))
    const kills = await write(bench, options)
    await settle(bench, options.mutant === undefined ? patienceMs : mutantPatienceMs)
    const reports = new Map<string, StormReport>()
    for (const { entry, platform, said } of fronts)
      reports.set(
        entry.kind,
        (entry.onlySends ? findWrongLines : findWrongs)({
          entry,
          said,
          kills,
          rows: await readRows(installation, entry.kind),
          shown: (chat) => platform.shown(chat),
        }),
      )
    return reports
  } finally {
    await installation.close()
    for (const { platform } of fronts) await platform.close()
  }
}

function mutantPath(mutant: string): string {
  return fileURLToPath(new URL(`../../mutants/${mutant}.ts`, import.meta.url))
}

function frontOf(entry: PlatformEntry, platform: TestPlatform): Front {
  const { people, chats } = platform
  return {
    entry,
    platform,
    said: [
      { who: people.ana, chat: chats.ana, texts: [] },
      { who: people.ben, chat: chats.ben, texts: [] },
    ],
  }
}

/** Adds the channel, and lets in who writes there. */
async function open(bench: Bench, { platform, entry, said }: Front): Promise<void> {
  const { client } = bench.gateway
  const { kind } = entry
  platform.reach?.(webDelivery(() => bench.gateway.url, kind))
  await client.storeChannel(kind, {
    kind,
    settings: platform.settings,
    secrets: platform.secrets,
    choices: {},
  })
  const standing = async () => (await client.channels()).find(({ name }) => name === kind)
  await orThrow(
    async () => (await standing())?.state === 'connected',
    async () => `${kind} is not connected: ${JSON.stringify(await standing())}`,
  )
  if (entry.onlySends) return
  for (const [index, { who, chat }] of said.entries()) {
    await platform.says(who, chat, 'hello')
    const codeOf = () =>
      platform
        .shown(chat)
        .map(({ text }) => /[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}/.exec(text)?.[0])
        .findLast((code) => code !== undefined)
    await orThrow(
      () => codeOf() !== undefined,
      () => `${who.name} was shown no code in ${kind}: ${JSON.stringify(platform.shown(chat))}`,
    )
    await client.admitPeer({
      code: codeOf() ?? '',
      role: !entry.bindable ? 'guest' : index === 0 ? 'operator' : 'trusted',
      limits: { messagesPerHour: 1_000, dailyUsd: 1_000 },
    })
  }
}

/** Each chat by itself in its order; what dies does so at any moment of it. Gives the number of kills. */
async function write(bench: Bench, { messages, random, log }: StormOptions): Promise<number> {
  let kills = 0
  for (let index = 0; index < messages; index += 1) {
    await Promise.all(
      bench.fronts.map(async ({ platform, said, entry }) => {
        if (entry.onlySends) return sendLine(bench, entry.kind)
        const to = random.pick(said)
        const text = `${entry.kind} message ${index}`
        const goesOn = entry.threads && random.below(2) === 0
        const options = goesOn && to.first !== undefined ? { answers: to.first } : {}
        const isSaid = await platform.says(to.who, to.chat, text, options).then(
          (id) => {
            to.first ??= id
            return true
          },
          (problem: unknown) => {
            // Where nothing is kept, the platform may say that nobody of ours is there.
            if (entry.keeps) throw problem
            return false
          },
        )
        if (isSaid) to.texts.push(text)
      }),
    )
    if (index % messagesPerKill !== messagesPerKill - 1) continue
    await sleep(random.below(400))
    await strike(bench, random)
    kills += 1
    if (kills % 10 === 0) log(`${index + 1} of ${messages} messages for each kind, ${kills} kills`)
  }
  // All of it once more.
  for (const { platform, entry } of bench.fronts) if (entry.keeps) await platform.repeats?.()
  return kills
}

/** Once more where the gateway or its database is not there yet: what was written down before it died is another line. */
async function sendLine({ gateway }: Bench, kind: string): Promise<void> {
  const isTaken = async () => {
    const { chats } = await gateway.client.testChannel(kind)
    if (chats !== 1) throw new Error(`${kind} has ${chats} places for notices.`)
    return true
  }
  await orThrow(
    () =>
      isTaken().catch((problem: unknown) =>
        problem instanceof CountersignError ? false : Promise.reject(problem),
      ),
    () => `No line was sent to ${kind}.`,
  )
}

/** Something dies, and comes back; connections are lost, and what was told is told again. */
async function strike(bench: Bench, random: Random): Promise<void> {
  const { installation, fronts } = bench
  const dice = random.below(10)
  if (dice < 4) {
    const adapters = adapterPids(bench.gateway.pid)
    if (adapters.length > 0) process.kill(random.pick(adapters), 'SIGKILL')
  } else if (dice < 8) {
    const port = Number(new URL(bench.gateway.url).port)
    await bench.gateway.kill()
    bench.gateway = await installation.start({}, port)
  } else {
    const pid = installation.databasePid()
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  }
  for (const { platform, entry } of fronts) {
    if (random.below(6) === 0) await platform.disconnect()
    // The next answer is lost after the platform has what was sent.
    if (random.below(4) === 0) platform.fail?.({ kind: 'lost-after' })
    // What is told again though it was lost comes late, where the platform itself keeps nothing.
    if (entry.keeps && random.below(8) === 0) await platform.repeats?.()
  }
}

/** As long as something still moves, the rest is waited for: what a slow machine has not sent yet is not lost. */
async function settle(bench: Bench, patience: number): Promise<void> {
  for (let left = await stillMissing(bench); left > 0; ) {
    const before = left
    const hasMoved = await until(async () => {
      left = await stillMissing(bench)
      return left < before
    }, patience)
    if (!hasMoved) break
  }
  for (const front of bench.fronts) if (front.entry.onlySends) await seenLines(bench, front, patience)
}

/** What was not admitted, or is still on its way. While the database is away, no less than before. */
async function stillMissing({ fronts, installation }: Bench): Promise<number> {
  let missing = 0
  for (const { entry, said } of fronts) {
    const rows = await waitingRows(installation, entry.kind).catch(() => undefined)
    if (!rows) return Number.POSITIVE_INFINITY
    const wanted = said.reduce((sum, { texts }) => sum + texts.length, 0)
    missing += rows.waiting + (entry.keeps ? Math.max(0, wanted - rows.admitted) : 0)
  }
  return missing
}

/** Whoever is subscribed is told a moment after the server was. */
async function seenLines(
  { installation }: Bench,
  { entry, platform, said }: Front,
  patience: number,
): Promise<void> {
  const { deliveries } = await readRows(installation, entry.kind)
  const sent = deliveries.filter(({ state, kind }) => state === 'sent' && kind === 'test').length
  const [place] = said
  await until(() => place !== undefined && platform.shown(place.chat).length >= sent, patience)
}

async function orThrow(
  holds: () => Promise<boolean> | boolean,
  problem: () => Promise<string> | string,
): Promise<void> {
  if (!(await until(holds, 60_000))) throw new Error(await problem())
}
