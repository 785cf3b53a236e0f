/** Runs the trials of all three kinds in one process. */
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { openByteServer } from './byte-server.ts'
import { cutsOf, tryCut } from './cuts.ts'
import { damage } from './damage.ts'
import { tryDamaged } from './damages.ts'
import { openLoopBench } from './loop.ts'
import { type Recording, readRecordings } from './recordings.ts'

const AT_ONCE = 12
/** From here on every recording is cut at every byte. */
const WHOLE_SIZE = 100_000

export async function runTrials({ n, seed, log }: Omit<SuiteOptions, 'mutant'>): Promise<SuiteResult> {
  const random = createRandom(seed)
  const recordings = readRecordings()
  const wrong: string[] = []
  const began = performance.now()
  const note = (found: string | undefined) => {
    if (found !== undefined) wrong.push(found)
  }
  const say = (what: string, count: number) => {
    const seconds = Math.round((performance.now() - began) / 1000)
    log(`${count} ${what}, ${wrong.length} wrong, ${seconds} s`)
  }

  const cuts = cutsOf(recordings, n >= WHOLE_SIZE ? Number.POSITIVE_INFINITY : Math.floor(n * 0.5))
  const loopFaults = Math.floor(n * 0.1)
  const damages = Math.max(0, n - cuts.length - loopFaults)

  const server = await openByteServer()
  try {
    await each(cuts, async (cut) => note(await tryCut(server, cut)))
    say('cuts', cuts.length)
    await each(damagedStreams(recordings, damages, random), async (one) =>
      note(await tryDamaged(server, one.recording, one.damaged)),
    )
    say('damaged streams', damages)
  } finally {
    await server.close()
  }

  const bench = await openLoopBench()
  const kinds = [...new Set(recordings.map(({ kind }) => kind))]
  let faults = 0
  let runs = 0
  let completed = 0
  try {
    while (faults < loopFaults) {
      const batch = Array.from({ length: Math.min(AT_ONCE, loopFaults - faults) }, () => ({
        kind: random.pick(kinds),
        random: createRandom(random.below(2 ** 31)),
      }))
      await each(batch, async (one) => {
        const ran = await bench.run(one.kind, one.random)
        faults += ran.faults
        runs += 1
        if (ran.isCompleted) completed += 1
        wrong.push(...ran.wrong)
      })
    }
    // Without runs that got through, nothing was shown of retries.
    if (loopFaults > 100 && completed < runs / 4) wrong.push(`only ${completed} of ${runs} runs completed`)
    say(`faults in ${runs} runs`, faults)
  } finally {
    await bench.close()
  }
  return {
    n: cuts.length + damages + faults,
    failures: wrong.length,
    details: { cuts: cuts.length, damages, faults, runs, completed, examples: wrong.slice(0, 10) },
  }
}

/** Made as they are needed: some are large. */
function* damagedStreams(recordings: readonly Recording[], count: number, random: Random) {
  for (let index = 0; index < count; index += 1) {
    const recording = random.pick(recordings)
    yield { recording, damaged: damage(recording, index, random) }
  }
}

async function each<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]()
  const left = { [Symbol.iterator]: () => ({ next: () => iterator.next() }) }
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item)
    }),
  )
}
