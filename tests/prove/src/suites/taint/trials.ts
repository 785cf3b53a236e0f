/** Makes flows of hops by chance and sends them through the installation, several at once. */
import { builtinTools } from '@countersign/tools'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { openAdversaryInstallation } from '../adversary/installation.ts'
import { clear } from '../adversary/world.ts'
import { type Flow, flow, isKept, nameOf } from './flow.ts'
import type { Hop, HopKind } from './hop.ts'
import { hops } from './hops/index.ts'
import { sources } from './sources.ts'
import { tryValues } from './values.ts'

const atOnce = 6
const mostHops = 4
/** For so many flows one conversation with readers whose values are none. */
const flowsPerTalk = 20

export async function runTrials({ n, seed, log }: SuiteOptions): Promise<SuiteResult> {
  const random = createRandom(seed)
  const { ready, waiting } = sorted(hops)
  const order = random.shuffle(ready)
  const installation = await openAdversaryInstallation()
  const wrong: string[] = []
  const byHop: Record<string, number> = {}
  let keptBack = 0
  const began = performance.now()
  try {
    const values = await tryValues(installation, { talks: Math.ceil(n / flowsPerTalk), random })
    wrong.push(...values.wrong)
    for (let first = 0; first < n; first += atOnce) {
      await clear(installation)
      const plans = Array.from({ length: Math.min(atOnce, n - first) }, (_, index) =>
        planOf(first + index, order, random),
      )
      const flowed = await Promise.all(plans.map((plan) => flow(installation, plan)))
      for (const [index, { wanted, found, problem, stopped }] of flowed.entries()) {
        const plan = plans[index] as Flow
        for (const { name } of plan.hops) byHop[name] = (byHop[name] ?? 0) + 1
        if (stopped) keptBack += 1
        else if (problem !== null) wrong.push(`${nameOf(plan)}: ${problem}`)
        else if (!found) wrong.push(`${nameOf(plan)}: the last call was never made`)
        else if (!isKept(wanted, found))
          wrong.push(
            `${nameOf(plan)}: ${wanted.integrity} and ${wanted.confidentiality} became ${found.integrity} and ${found.confidentiality}`,
          )
      }
      if ((first / atOnce) % 20 === 19) log(`${first + atOnce} flows, ${wrong.length} wrong`)
    }
    return {
      n,
      failures: wrong.length,
      details: {
        hops: byHop,
        values: values.asked,
        keptBack,
        waiting: waiting.map((hop) => `${hop.name} waits for ${missing(hop).join(', ')}`),
        millisecondsPerFlow: Math.round((performance.now() - began) / Math.max(1, n)),
        problems: [...new Set(installation.problems.map((line) => line.replace(/^\S+ /, '')))].slice(0, 5),
        examples: [...new Set(wrong)].slice(0, 10),
      },
    }
  } finally {
    await installation.close()
  }
}

/** First each hop alone, then in chains of chance, in which each hop has its turn as often as every other. */
function planOf(number: number, order: readonly Hop[], random: Random): Flow {
  const mark = `f${String(number).padStart(6, '0')}`
  const own = order[number % order.length] as Hop
  const source = random.pick(sources)
  // What comes back is tried with words that only the one who was sent has seen.
  if (number < order.length)
    return { mark, hops: whole([own]), sources: [{ source, run: own.followedBy ? 1 : 0 }] }
  const others = Array.from({ length: 1 + random.below(mostHops - 1) }, () => random.pick(order))
  const hops = whole(random.shuffle([own, ...others]).reduce(appended, []))
  // Words that are kept back and words that came later could not be told apart.
  const isAlone = random.below(3) > 0 || hops.some(({ mayStop }) => mayStop)
  const more = isAlone ? [] : [{ source: random.pick(sources), run: random.below(hops.length + 1) }]
  return { mark, hops, sources: [{ source, run: 0 }, ...more] }
}

function whole(hops: readonly Hop[]): Hop[] {
  return hops.flatMap((hop) => (hop.followedBy ? [hop, hop.followedBy] : [hop]))
}

/** Whoever was given work looks into files and records, and leaves nothing behind that works on. */
const kindsOfHelpers: readonly HopKind[] = ['conversation', 'file', 'record']

/** The chain with the hop at its end, if it can stand there. */
function appended(chain: readonly Hop[], hop: Hop): Hop[] {
  const before = chain.at(-1)
  if (before?.begins !== 'itself' || before.followedBy) return [...chain, hop]
  const isPossible = before.kind === 'sub-agent' ? kindsOfHelpers.includes(hop.kind) : hop.begins !== 'itself'
  return isPossible ? [...chain, hop] : [...chain]
}

/** Those that can be tried, and those that wait for a tool. */
function sorted(all: readonly Hop[]): { ready: Hop[]; waiting: Hop[] } {
  return {
    ready: all.filter((hop) => missing(hop).length === 0),
    waiting: all.filter((hop) => missing(hop).length > 0),
  }
}

function missing({ needs = [] }: Hop): string[] {
  const names = new Set(builtinTools.map(({ name }) => name))
  return needs.filter((name) => !names.has(name))
}
