/**
 * Texts per second through the embedding port, against the bare library in a process of its own.
 *
 * The port gives the engine one text at a time on one core, so that a text always gets the same vector. The bare library
 * is measured with the same setting, which shows what the port costs, and as its manual shows it, with batches on all
 * cores, which shows what the setting costs. While the port works, the delay of this process's event loop is watched.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createLocalEmbeddings } from '../../packages/models/src/embeddings/local.ts'
import { libraryFile, modelFolder } from '../../packages/models/src/embeddings/part.ts'
import { keptMeter } from '../../packages/models/src/media/testing/kept-meter.ts'
import { installedPart } from '../../tests/embeddings/installed-part.ts'
import type { Bench, BenchOptions, Measured } from './bench.ts'
import type { BareAnswer, BareQuestion } from './embed-bare.ts'
import { memoryTexts } from './embed-texts.ts'
import { median, rounded, timed } from './sample.ts'
import { type SideProcess, startSideProcess } from './side-process.ts'

export const embed: Bench = {
  name: 'embed',
  about: 'texts/s through the embedding port, against the bare library, and the event loop meanwhile',
  run: measure,
}

const batch = 16
const texts = 1_000

async function measure({ small, note }: BenchOptions): Promise<Measured> {
  const rounds = small ? 3 : 7
  const folder = await installedPart()
  const bare: SideProcess<BareQuestion, BareAnswer> = startSideProcess('../embed-bare.ts')
  const embeddings = createLocalEmbeddings({ folder })
  const library = libraryFile(folder)
  const model = modelFolder(folder)
  const all = memoryTexts(texts)
  const embedAll = async (some: readonly string[]) => {
    const embedded = await embeddings.embed(some, new AbortController().signal, keptMeter())
    if (embedded.kind !== 'embedded') throw new Error(JSON.stringify(embedded))
  }
  const bareTime = (setting: { readonly batch: number; readonly threads: number | null }, count = texts) =>
    bare.ask({ library, model, texts: count, ...setting })
  const alike = { batch: 1, threads: 1 }
  const manual = { batch, threads: null }
  try {
    await embedAll(all.slice(0, 100))
    await bareTime(alike, 100)
    await bareTime(manual, 100)
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const measured: Round[] = []
    for (let index = 0; index < rounds; index += 1) {
      delay.enable()
      const ours = await timed(() => embedAll(all))
      delay.disable()
      measured.push({ ours, alike: await bareTime(alike), manual: await bareTime(manual) })
    }
    note(`embed: ${rounds} rounds of ${texts} texts`)
    return reportOf(measured, delay.percentile(99) / 1_000_000)
  } finally {
    await embeddings.close()
    await bare.close()
  }
}

/** Milliseconds. */
interface Round {
  readonly ours: number
  readonly alike: number
  readonly manual: number
}

function reportOf(rounds: readonly Round[], delayMs: number): Measured {
  const ratio = median(rounds.map((round) => round.alike / round.ours))
  const perSecond = (pick: (round: Round) => number) => rounded((texts / median(rounds.map(pick))) * 1_000)
  return {
    figures: {
      textsPerSecond: perSecond((round) => round.ours),
      bareTextsPerSecond: perSecond((round) => round.alike),
      ratio: rounded(ratio),
      bareBatchedTextsPerSecond: perSecond((round) => round.manual),
      batchedRatio: rounded(median(rounds.map((round) => round.manual / round.ours))),
      loopDelayP99Ms: rounded(delayMs),
      texts,
    },
    goals: [
      { name: 'ratio', value: ratio, kind: 'ratio', limit: { atLeast: 0.9 } },
      { name: 'loopDelayP99Ms', value: delayMs, kind: 'time', limit: { atMost: 50 } },
    ],
  }
}
