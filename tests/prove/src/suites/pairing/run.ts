/** One run of the proof of pairing, in this process: rounds of attempts in chats and at the operator's door. */
import { CountersignError, type DeviceReach, type PeerRole } from '@countersign/contract'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { guessedCode, type Known, makeAttempt } from './attacks.ts'
import { openOracle } from './oracle.ts'
import { tryServer } from './server.ts'
import { openWorld, type World } from './world.ts'

const attemptsPerRound = 250
/** Of them at the door: codes that are guessed, old, used, or used at once. */
const atDoorPerRound = 40
const callersAtOnce = 8
/** The real server is tried too, and never with a mutant, which is loaded in this process alone. */
export interface PairingOptions extends Pick<SuiteOptions, 'n' | 'seed' | 'log'> {
  readonly isServerTried: boolean
}

const minute = 60_000
/** Longer than a request waits, so that it is asked for again now and then. */
const longestRoundMs = 50 * minute

interface Tally {
  attempts: number
  /** At the door, and how many of them were the one that is let in. */
  door: number
  races: number
  readonly problems: string[]
}

export async function runPairing({ n, seed, log, isServerTried }: PairingOptions): Promise<SuiteResult> {
  const random = createRandom(seed)
  const server = isServerTried ? await tryServer(random, log) : { requests: 0, problems: [] }
  const world = await openWorld()
  const oracle = await openOracle(world)
  const tally: Tally = { attempts: server.requests, door: 0, races: 0, problems: [...server.problems] }
  const known: Known = { codes: [], out: [], said: [] }
  const keys = new Set<string>()
  try {
    await operatorSpeaks(world, known, keys, 0)
    for (let round = 1; tally.attempts < n; round += 1) {
      if (round % 10 === 1) await world.waitForOperator()
      const isLast = n - tally.attempts <= attemptsPerRound
      await inChats(
        world,
        known,
        random,
        tally,
        Math.min(attemptsPerRound - atDoorPerRound, n - tally.attempts),
      )
      await atDoor(world, known, random, tally)
      await operatorSpeaks(world, known, keys, round)
      await world.bench.quiet()
      tally.problems.push(...(await oracle.look({ said: keys })))
      if (tally.problems.length > 0 || isLast) break
      if (round % 40 === 39) log(`${tally.attempts} attempts, ${tally.problems.length} problems`)
      world.bench.pass(minute + random.below(longestRoundMs))
    }
    tally.problems.push(...(await oracle.atTheEnd()), ...oracle.unknownWords(known.said))
    for (const problem of world.bench.problems) tally.problems.push(`failed: ${String(problem)}`)
    const counts = await oracle.counts()
    return {
      n: tally.attempts,
      failures: tally.problems.length,
      details: {
        ...counts,
        saidByTheOperator: keys.size,
        atTheDoor: tally.door,
        atTheServer: server.requests,
        races: tally.races,
        examples: tally.problems.slice(0, 10),
      },
    }
  } finally {
    await oracle.close()
    await world.close()
  }
}

async function inChats(
  world: World,
  known: Known,
  random: Random,
  tally: Tally,
  count: number,
): Promise<void> {
  const { bench, names } = world
  const attempts = Array.from({ length: count }, () => makeAttempt(world, known, random))
  tally.attempts += count
  for (let at = 0; at < attempts.length; at += 25)
    await Promise.all(
      attempts.slice(at, at + 25).map(({ channel, event }) => bench.intake.take(channel, event)),
    )
  // Told again, as a platform does that heard no answer.
  for (const { channel, event } of attempts.slice(0, 5)) await bench.intake.take(channel, event)
  await Promise.all(names.map((name) => bench.intake.work(bench.channel(name))))
  for (const name of names) {
    const letters = await bench.letters(name)
    for (const { kind, text } of letters.slice(-5)) {
      const [, first, second] = /([A-Z2-9]{4})-([A-Z2-9]{4})$/.exec(text) ?? []
      if (kind === 'pairing' && first && second) known.codes.push(`${first}${second}`)
    }
  }
}

/** At what only devices may ask for: nobody is let in but by the code of now, once, and whoever was is put out again. */
async function atDoor(world: World, known: Known, random: Random, tally: Tally): Promise<void> {
  const { bench } = world
  const { problems } = tally
  const refused = async (what: string, code: string, role: PeerRole, reach: DeviceReach) => {
    tally.attempts += 1
    tally.door += 1
    if (await isLetIn(world, code, role, reach)) problems.push(`${what} let somebody in as ${role}`)
  }
  const role = () => random.pick(['operator', 'trusted', 'guest'] as const)
  for (let count = 0; count < 10; count += 1) await refused('a guess', guessedCode(random), role(), 3)

  const channel = random.pick(world.names)
  const racer = `racer${tally.races}`
  tally.races += 1
  const code = await greeted(world, channel, racer)
  if (code === undefined) return
  for (const reach of [0, 2] as const) {
    await refused(`a device of reach ${reach}`, code, 'operator', reach)
    if (reach < 2) await refused(`a device of reach ${reach}`, code, 'guest', reach)
  }
  if (channel === world.open) await refused('a platform that proves nothing', code, 'operator', 3)
  const callers = Array.from({ length: callersAtOnce }, () => isLetIn(world, code, 'guest', 3))
  const letIn = (await Promise.all(callers)).filter(Boolean).length
  tally.attempts += callersAtOnce - 1
  tally.door += callersAtOnce
  if (letIn !== 1) problems.push(`one code let in ${letIn} times`)
  await world.putOut(channel, racer, random.below(2) === 0 ? 'block' : 'remove')
  await refused('a used code', code, role(), 3)
  known.out.push({ channel, peer: racer })
  known.codes.push(code)
  await bench.say(channel, racer, 'Let me in again.')

  // A code that grew old while nobody used it, and one of somebody who was put out before they were let in.
  const late = `late${tally.races}`
  const old = await greeted(world, channel, late)
  if (old === undefined) return
  bench.pass(60 * minute + 1)
  await refused('an old code', old, role(), 3)
  for (const each of known.codes.slice(-6, -2)) await refused('a code of before', each, role(), 3)
}

/** The code that somebody new is shown; undefined where too many ask. */
async function greeted({ bench }: World, channel: string, peer: string): Promise<string | undefined> {
  bench.pass(61 * minute)
  await bench.say(channel, peer, 'Hello.')
  return (await bench.peer(channel, peer))?.code ?? undefined
}

async function isLetIn({ bench }: World, code: string, role: PeerRole, reach: DeviceReach): Promise<boolean> {
  try {
    await bench.admit(code, role, reach)
    return true
  } catch (error) {
    if (error instanceof CountersignError) return false
    throw error
  }
}

/** The channels are not deaf: what the operator says is heard, and what they pass on decides nothing. */
async function operatorSpeaks({ bench, home, cards }: World, known: Known, keys: Set<string>, round: number) {
  const isPassedOn = round % 2 === 1
  const text = isPassedOn ? `approve ${cards.at(-1)?.code}` : `This is round ${round}.`
  const event = bench.event('op', text, { forwarded: isPassedOn })
  await bench.hear(home, event)
  keys.add(`channel/${home}/${event.id}`)
  known.said.push(text)
}
