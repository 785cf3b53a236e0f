/** Makes grants, then calls around them while time passes and grants are spent and revoked, in many small worlds. */
import type { Decision, GrantId, GrantRequest, Resource } from '@countersign/contract'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { type Base, openBase } from './base.ts'
import { anyCall, anyRequest, type Call, near } from './calls.ts'
import { isPlainFile, readSentence, type SentenceReading } from './sentence-reading.ts'
import { tryStrangers } from './strangers.ts'

const callsPerWorld = 25
/** For so many calls one world in which strangers lead. */
const callsPerStrangers = 100
const callersAtOnce = 12
const worldsPerRace = 8
const minute = 60_000

/** What the trials know of a grant by themselves: its sentence, and what they did with it. */
interface GivenGrant {
  readonly id: GrantId
  readonly approved: Call
  readonly reading: SentenceReading
  readonly from: number
  uses: number
  isRevoked: boolean
}

interface Scene {
  readonly base: Base
  readonly random: Random
  readonly tally: Record<'inside' | 'outside' | 'never' | 'raced' | 'grants' | 'ungrantable', number>
  blame(problem: string): void
}

export async function runTrials({ n, seed, log }: SuiteOptions): Promise<SuiteResult> {
  const random = createRandom(seed)
  const base = await openBase()
  const wrong: string[] = []
  const tally = { inside: 0, outside: 0, never: 0, raced: 0, grants: 0, ungrantable: 0 }
  const scene: Scene = { base, random, tally, blame: (problem) => void wrong.push(problem) }
  const worlds = Math.ceil(n / callsPerWorld)
  try {
    const strangers = await tryStrangers(base, {
      worlds: Math.ceil(n / callsPerStrangers),
      random,
      blame: scene.blame,
    })
    Object.assign(tally, { ledCalls: strangers.calls, ledAnswered: strangers.answered })
    for (let world = 0; world < worlds; world += 1) {
      await live(scene, world)
      if (world % worldsPerRace === 0) await race(scene, world)
      if (world % 40 === 39) log(`${(world + 1) * callsPerWorld} calls, ${wrong.length} wrong`)
    }
  } finally {
    await base.close()
  }
  return {
    n: worlds * callsPerWorld,
    failures: wrong.length,
    details: { worlds, ...tally, examples: [...new Set(wrong)].slice(0, 10) },
  }
}

async function live(scene: Scene, world: number): Promise<void> {
  const { base, random } = scene
  let now = Date.parse('2026-03-01T12:00:00.000Z')
  // A name of its own, so that no world sees the grants of another.
  const tools = [`tool-${world}`, `other-${world}`]
  const given: GivenGrant[] = []
  const give = async (at: number) => {
    const made = await make(scene, anyCall(random, random.pick(tools), at), now)
    if (made) given.push(made)
  }
  for (let left = 1 + random.below(3); left > 0; left -= 1) await give(left)
  for (let at = 0; at < callsPerWorld; at += 1) {
    const origin = given.length === 0 ? anyCall(random, tools[0] ?? '', at) : random.pick(given).approved
    await tryCall(scene, near(random, origin, at), given, now)
    switch (random.below(12)) {
      case 0:
        now += random.pick([1, 29, 30, 60, 24 * 60, 2 * 24 * 60]) * minute
        break
      case 1:
        await give(100 + at)
        break
      case 2: {
        const one = given.find(({ isRevoked }) => !isRevoked)
        if (!one) break
        await base.revoke(one.id, new Date(now))
        one.isRevoked = true
        break
      }
      default:
    }
    now += random.below(2) * 1_000
  }
  for (const { id, uses } of given)
    if ((await base.uses(id)) !== uses)
      scene.blame(`a grant counts ${await base.uses(id)} uses after ${uses}`)
}

async function make(
  { base, random, tally, blame }: Scene,
  approved: Call,
  now: number,
): Promise<GivenGrant | null> {
  const request = anyRequest(random)
  const made = await base.grant(approved, request, new Date(now))
  const needsGoal = request.scope === 'rule' && request.where === 'goal'
  if (!made) {
    tally.ungrantable += 1
    if (
      !(needsGoal && approved.goal === null) &&
      !isWideOutside(approved, request) &&
      !isWideWrite(approved, request) &&
      !isMoreThanALook(approved)
    )
      blame(`no grant was made of ${JSON.stringify({ approved, request })}`)
    return null
  }
  tally.grants += 1
  if (needsGoal && approved.goal === null) blame('a grant for a goal was made where there is none')
  if (isWideOutside(approved, request))
    blame('a grant outside the workspace was made for more than its paths')
  if (isWideWrite(approved, request)) blame('a grant of a folder was made of a file that is not plain')
  if (isMoreThanALook(approved)) blame('a grant was made of a request that carries more than its address')
  return {
    id: made.id,
    approved,
    reading: readSentence(made.sentence, approved),
    from: now,
    uses: 0,
    isRevoked: false,
  }
}

/** A folder stands for plain files only. */
function isWideWrite({ resources }: Call, request: GrantRequest): boolean {
  const isOdd = (resource: Resource) =>
    resource.type === 'file' && resource.op === 'write' && !isPlainFile(resource.path)
  return request.scope === 'rule' && request.stop === 'place' && resources.some(isOdd)
}

/** Outside the workspace a grant names single paths. */
function isWideOutside({ resources }: Call, request: GrantRequest): boolean {
  const isWide = request.scope === 'rule' && (request.stop === 'place' || request.stop === 'tool')
  return isWide && resources.some((each) => each.type === 'file' && each.root === 'host')
}

function isMoreThanALook({ resources }: Call): boolean {
  return resources.some((each) => each.type === 'url' && each.carries === 'more')
}

async function tryCall(scene: Scene, call: Call, given: readonly GivenGrant[], now: number): Promise<void> {
  const { base, tally, blame } = scene
  const covering = given.filter((one) => isAlive(one, now) && one.reading.allows(call))
  const mayBeGranted = isGrantable(call)
  const decision = await base.decide(call, new Date(now))
  const problem = await differenceOf(decision, mayBeGranted ? covering : [], now, base)
  if (covering.length === 0) tally.outside += 1
  else tally[mayBeGranted ? 'inside' : 'never'] += 1
  if (problem)
    blame(
      `${problem}: ${JSON.stringify({ call, given: given.map(({ approved, from, uses }) => ({ approved, from, uses })) })}`,
    )
}

async function differenceOf(
  decision: Decision,
  covering: readonly GivenGrant[],
  now: number,
  base: Base,
): Promise<string | null> {
  if (decision.grant === undefined) {
    // What touches nothing is free.
    if (decision.kind === 'allow') return decision.tier >= 2 ? 'allowed by nobody' : null
    return covering.length > 0 ? 'asked again inside a grant' : null
  }
  const used = covering.find(({ id }) => id === decision.grant)
  const isSpent = await base.spend(decision.grant, new Date(now))
  if (used && isSpent) used.uses += 1
  if (!used) return isSpent ? 'allowed outside every grant' : null
  return isSpent ? null : 'a grant that lives could not be spent'
}

function isAlive({ reading, from, uses, isRevoked }: GivenGrant, now: number): boolean {
  const { times, minutes } = reading
  return !isRevoked && (times === null || uses < times) && now < from + minutes * minute
}

/** What a grant can be used for at all: never for what others see, cannot be undone, or strangers or secrets led to. */
function isGrantable({ effects, label, secrets }: Call): boolean {
  const leaves = effects.some((effect) => effect.verb === 'fetch' || effect.leaves.length > 0)
  return (
    secrets.length === 0 &&
    label.integrity !== 'untrusted' &&
    !(label.confidentiality === 'secret' && leaves) &&
    effects.every(({ outward, reversible }) => !outward && reversible)
  )
}

/** Many callers at once on a grant with a few uses left; then many against its revocation. */
async function race(scene: Scene, world: number): Promise<void> {
  const { base, random, tally, blame } = scene
  const now = new Date('2026-03-01T12:00:00.000Z')
  const left = 1 + random.below(5)
  const approved = anyCall(random, `race-${world}`, 0)
  const request = { scope: 'rule' as const, stop: 'target' as const, where: 'everywhere' as const, days: 1 }
  const few = await base.grant(approved, { ...request, maxUses: left }, now)
  if (!few) return
  const through = async () => {
    const { grant } = await base.decide(approved, now)
    return grant !== undefined && (await base.spend(grant, now))
  }
  const passed = (await Promise.all(Array.from({ length: callersAtOnce }, through))).filter(Boolean).length
  tally.raced += callersAtOnce
  if (passed !== left || (await base.uses(few.id)) !== left)
    blame(`of ${callersAtOnce} callers ${passed} got through a grant with ${left} uses left`)

  const endless = await base.grant(approved, { ...request, maxUses: null }, now)
  if (!endless) return
  const callers = Array.from({ length: callersAtOnce }, through)
  await base.revoke(endless.id, now)
  // Whoever began before the revocation may have passed; whoever begins now does not.
  if ((await Promise.all(Array.from({ length: 3 }, through))).some(Boolean))
    blame('a revoked grant was spent')
  await Promise.all(callers)
  tally.raced += callersAtOnce
}
