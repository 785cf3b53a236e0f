/**
 * Texts per second through the embedding port, against the bare library in a process of its own.
 *
 * The port gives the engine one text at a time on one core, so that a text always gets the same vector. The bare library
 * is measured with the same setting, which shows what the port costs, and as its manual shows it, with batches on all
 * cores, which shows what the setting costs. While the port works, the delay of this process's event loop is watched,
 * and its memory with that of the embedding process, before, at work and after.
 */

import { homedir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import {
  createLocalEmbeddings,
  installPart,
  type LocalEmbeddings,
  libraryFile,
  modelFolder,
} from '@countersign/models'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { memoryTexts } from '../memory-texts.ts'
import { processGroup } from '../processes.ts'
import { median, rounded, timed } from '../sample.ts'
import type { EmbeddingsAnswer, EmbeddingsQuestion } from '../side/bare-embeddings.ts'
import { type SideProcess, startSideProcess } from '../side-process.ts'

export const embed: Bench = {
  name: 'embed',
  about: 'texts/s through the embedding port, against the bare library, and the event loop meanwhile',
  run: measure,
}

const batch = 16
const texts = 1_000

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const rounds = small ? 1 : 7
  const folder = await installedPart(note)
  const bare: SideProcess<EmbeddingsQuestion, EmbeddingsAnswer> = startSideProcess('bare-embeddings.ts')
  const embeddings = createLocalEmbeddings({ folder })
  const library = libraryFile(folder)
  const model = modelFolder(folder)
  const all = memoryTexts(texts)
  const ours = processGroup(process.pid, () => [bare.pid])
  const memory = { before: ours.pssMegabytes(), working: 0, after: 0 }
  const embedAll = async (some: readonly string[]) => {
    const embedded = await embeddings.embed(some, new AbortController().signal, freeMeter)
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
      const port = await timed(() => embedAll(all))
      delay.disable()
      measured.push({ port, alike: await bareTime(alike), manual: await bareTime(manual) })
    }
    note(`embed: ${rounds} rounds of ${texts} texts`)
    memory.working = ours.pssMegabytes()
    await embeddings.close()
    memory.after = ours.pssMegabytes()
    return reportOf(measured, delay.percentile(99) / 1_000_000, memory)
  } finally {
    await embeddings.close()
    await bare.close()
  }
}

/** Where the tests of the model install it too, once for a machine. */
async function installedPart(note: (line: string) => void): Promise<string> {
  const folder = join(homedir(), '.cache', 'countersign-test', 'parts', 'local-embeddings')
  const installed = await installPart({
    folder,
    environment: Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value])),
    onProgress: ({ words }) => note(`embed: ${words}`),
    signal: new AbortController().signal,
  })
  if (installed.kind === 'failed') throw new Error(installed.message)
  return folder
}

const freeMeter: Parameters<LocalEmbeddings['embed']>[2] = {
  reserve: () => Promise.resolve({ kind: 'reserved', id: 'free' }),
  settle: () => Promise.resolve(),
}

/** Milliseconds. */
interface Round {
  readonly port: number
  readonly alike: number
  readonly manual: number
}

function reportOf(
  rounds: readonly Round[],
  delayMs: number,
  memory: Readonly<Record<string, number>>,
): BenchResult {
  const ratio = median(rounds.map((round) => round.alike / round.port))
  const perSecond = (pick: (round: Round) => number) => rounded((texts / median(rounds.map(pick))) * 1_000)
  return {
    figures: {
      textsPerSecond: perSecond((round) => round.port),
      bareTextsPerSecond: perSecond((round) => round.alike),
      ratio: rounded(ratio),
      bareBatchedTextsPerSecond: perSecond((round) => round.manual),
      batchedRatio: rounded(median(rounds.map((round) => round.manual / round.port))),
      loopDelayP99Ms: rounded(delayMs),
      megabytes: Object.fromEntries(Object.entries(memory).map(([when, size]) => [when, rounded(size)])),
      texts,
    },
    goals: [
      { name: 'ratio', value: ratio, kind: 'ratio', limit: { atLeast: 0.9 } },
      { name: 'loopDelayP99Ms', value: delayMs, kind: 'time', limit: { atMost: 50 } },
    ],
  }
}
