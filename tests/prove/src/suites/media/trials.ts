/** Runs the trials: of each kind an honest, a hostile or a damaged file in turn, then the programs that were taken over. */
import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { idFrom, type JsonObject, type ToolResult } from '@countersign/contract'
import { builtinTools, createCatalogue } from '@countersign/tools'
import { z } from 'zod'
import { createDocumentPrograms } from '../../../../../packages/executor/src/documents/document-programs.ts'
import { documentLimits } from '../../../../../packages/executor/src/documents/limits.ts'
import { inflating, textPdf } from '../../../../../packages/executor/src/documents/testing/pdf-file.ts'
import { greyPng } from '../../../../../packages/executor/src/documents/testing/png-file.ts'
import { toneWav } from '../../../../../packages/executor/src/documents/testing/wav-file.ts'
import { type Executor, openExecutor } from '../../../../../packages/executor/src/executor.ts'
import type { Sandbox } from '../../../../../packages/executor/src/sandbox/port.ts'
import {
  createTestHost,
  sealTestPermit,
  type TestHost,
} from '../../../../../packages/executor/src/testing/host.ts'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { damaged, damagedInside } from './damage.ts'
import { hostileFiles, type Kind, kinds } from './hostile.ts'
import { honestOffice, officeKinds } from './hostile-office.ts'
import { openWatched, type Watched } from './outside.ts'
import { trySpeech } from './speech.ts'
import { reachedMark, takenPrograms } from './taken-over.ts'

const { signal } = new AbortController()
const lanes = 2
/** A process may hold what its limit lets it, and a little that the limit does not count. */
const mostMegabytes = documentLimits.maxMemoryBytes / 1024 ** 2 + 128
const longestMs = documentLimits.timeoutMs + 30_000

interface Trial {
  readonly name: string
  readonly kind: Kind
  readonly bytes: Uint8Array
  readonly expects: 'anything' | 'refusal' | 'success'
}

type TrialOptions = Pick<SuiteOptions, 'n' | 'seed' | 'log'>

export async function runTrials({ n, seed, log }: TrialOptions): Promise<SuiteResult> {
  const watched = await openWatched(`canary-${randomUUIDv7()}`)
  const bench = await openBench()
  const wrong: string[] = []
  const outcomes: Record<string, number> = {}
  const report = createReport(outcomes)
  try {
    const trials = plan(n, createRandom(seed), watched, bench.bases)
    let begun = 0
    const lane = async (name: string): Promise<void> => {
      for (let next = trials.next(); !next.done; next = trials.next()) {
        const trial = next.value
        const index = begun
        begun += 1
        const problems = await report(trial, () => attempt(trial, { bench, watched, lane: name, index }))
        wrong.push(...problems.map((problem) => `${trial.kind}, ${trial.name} (${index}): ${problem}`))
        if (index % 100 === 99) log(`${index + 1} files, ${wrong.length} wrong`)
      }
    }
    await Promise.all(Array.from({ length: lanes }, (_, index) => lane(`lane${index}`)))
    const taken = await takeOver(bench, watched)
    wrong.push(...taken.wrong)
    const speech = await trySpeech(n, {
      sandbox: bench.sandbox,
      watched,
      random: createRandom(seed),
      sounds: bench.bases.audio,
    })
    wrong.push(...speech.wrong)
    if (watched.peakMegabytes() > mostMegabytes)
      wrong.push(`a process held ${Math.round(watched.peakMegabytes())} MB`)
    return {
      n: begun + taken.count + speech.count,
      failures: wrong.length,
      details: {
        outcomes,
        takenOver: taken.count,
        speech: speech.count,
        slowestMs: report.slowest(),
        peakMegabytes: Math.round(watched.peakMegabytes()),
        ownMegabytes: Math.round(process.memoryUsage.rss() / 1024 ** 2),
        ...(bench.bases.audio.length > 0 ? {} : { audio: 'not tried: there is no ffmpeg' }),
        examples: wrong.slice(0, 10),
      },
    }
  } finally {
    watched.close()
    await bench.close()
  }
}

interface Bench {
  readonly host: TestHost
  readonly executor: Executor
  readonly sandbox: Sandbox
  readonly bases: Readonly<Record<Kind, readonly Buffer[]>>
  close(): Promise<void>
}

async function openBench(): Promise<Bench> {
  const host = { ...createTestHost(), catalogue: createCatalogue(builtinTools) }
  const executor = await openExecutor(host.options, { catalogue: host.catalogue })
  executor.setWorld(host.world)
  if (executor.sandbox.kind !== 'available') throw new Error(`no sandbox: ${executor.sandbox.reason}`)
  const { sandbox } = executor.sandbox
  const sounds = soundBases()
  const bases = {
    pdf: pdfBases(),
    image: await pictureBases(sandbox),
    audio: sounds,
    split: sounds,
    ...honestOffice(),
  }
  return {
    host,
    executor,
    sandbox,
    bases,
    async close() {
      await executor.close()
      host.remove()
    },
  }
}

function pdfBases(): Buffer[] {
  const long = Array.from({ length: 12 }, (_, index) => `Page ${index + 1} says something.`)
  return [textPdf(['One page.']), textPdf(long, { Title: 'Long', Author: 'A' }), textPdf([inflating(1)])]
}

async function pictureBases(sandbox: Sandbox): Promise<Buffer[]> {
  const png = greyPng(60, 40)
  const programs = createDocumentPrograms(sandbox)
  const made = [png]
  for (const format of ['jpeg', 'webp', 'gif', 'tiff'] as const) {
    const job = {
      program: 'image',
      op: 'resize',
      width: 60,
      height: 40,
      fit: 'inside',
      format,
      quality: 80,
    } as const
    const result = await programs.run({ job, form: z.unknown() }, png, signal)
    if (result.kind !== 'done') throw new Error(`no ${format}: ${result.reason}`)
    made.push(...result.files.map((file) => Buffer.from(file)))
  }
  return made
}

function soundBases(): Buffer[] {
  if (!existsSync('/usr/bin/ffmpeg')) return []
  const folder = mkdtempSync(join(tmpdir(), 'prove-media-'))
  const wav = toneWav(2)
  writeFileSync(join(folder, 'a.wav'), wav)
  try {
    const others = ['mp3', 'flac', 'ogg', 'm4a'].map((ending) => {
      const path = join(folder, `a.${ending}`)
      execFileSync('/usr/bin/ffmpeg', ['-v', 'error', '-i', join(folder, 'a.wav'), path])
      return readFileSync(path)
    })
    return [wav, ...others]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One in ten is honest, as many as fit are hostile, and the others are damaged. Made one by one: a night has 40,000. */
function* plan(n: number, random: Random, watched: Watched, bases: Bench['bases']): Generator<Trial> {
  const hostile = hostileFiles(watched)
  const all = Object.values(bases).flat()
  for (const kind of kinds) {
    if (bases[kind].length === 0) continue
    const made = random.shuffle(hostile[kind])
    for (let index = 0; index < n; index += 1) {
      const base = random.pick(bases[kind])
      const file = index % 3 === 1 ? made[Math.floor(index / 3) % made.length] : undefined
      if (index % 10 === 0) yield { name: 'honest', kind, bytes: base, expects: 'success' }
      else if (file)
        yield { name: file.name, kind, bytes: file.bytes, expects: file.refused ? 'refusal' : 'anything' }
      else {
        const damage = isOffice(kind) && random.below(2) === 0 ? damagedInside : damaged
        const { name, bytes } = damage(base, random, random.pick(all))
        yield { name, kind, bytes, expects: 'anything' }
      }
    }
  }
}

const isOffice = (kind: Kind) => officeKinds.some((each) => each === kind)

interface Place {
  readonly bench: Bench
  readonly watched: Watched
  readonly lane: string
  readonly index: number
}

async function attempt(trial: Trial, { bench, watched, lane, index }: Place): Promise<Attempted> {
  const folder = join(bench.host.workspace, lane)
  const { tool, args, name, made } = callFor(trial, lane, index)
  mkdirSync(folder)
  writeFileSync(join(folder, name), trial.bytes)
  writeFileSync(join(folder, 'kept.txt'), watched.token)
  const problems: string[] = []
  let result: ToolResult | undefined
  try {
    const wish = { tool, args, run: idFrom('run', randomUUIDv7()) }
    const reply = await bench.executor.execute(
      await sealTestPermit(bench.host, wish, bench.executor.resolve),
      signal,
    )
    if (reply.kind === 'done') result = reply.result
    else problems.push(`the executor did not do it: ${JSON.stringify(reply).slice(0, 200)}`)
  } catch (error) {
    problems.push(`the executor failed: ${error instanceof Error ? error.message : String(error)}`)
  }
  const left = readdirSync(folder).filter(
    (each) => each !== name && each !== 'kept.txt' && !made.includes(each),
  )
  if (left.length > 0) problems.push(`there is ${left.join(', ')}`)
  if (readFileSync(join(folder, 'kept.txt'), 'utf8') !== watched.token)
    problems.push('a file beside it changed')
  if (!readFileSync(join(folder, name)).equals(trial.bytes)) problems.push('the file itself changed')
  if (result?.text.includes(watched.token)) problems.push('the canary was read')
  if (result && result.text.length > 600_000) problems.push('it says more than it may')
  if (trial.expects === 'success' && !result?.ok) problems.push(`an honest file is refused: ${result?.text}`)
  if (trial.expects === 'refusal' && result?.ok) problems.push(`it was opened: ${result.text.slice(0, 200)}`)
  rmSync(folder, { recursive: true, force: true })
  return { problems: [...problems, ...watched.look()], ok: result?.ok ?? false }
}

function callFor(
  { kind, bytes }: Trial,
  lane: string,
  index: number,
): { tool: string; args: JsonObject; name: string; made: string[] } {
  const odd = index % 2 === 1
  if (kind === 'pdf') {
    const path = `${lane}/a.pdf`
    return { tool: odd ? 'pdf_info' : 'read_pdf', args: { path }, name: 'a.pdf', made: [] }
  }
  if (kind === 'image') {
    const args = {
      image: `${lane}/a.png`,
      width: 20,
      height: 20,
      outputPath: `${lane}/b.${odd ? 'jpg' : 'png'}`,
    }
    return { tool: 'resize_image', args, name: 'a.png', made: ['b.jpg', 'b.png'] }
  }
  if (kind === 'split') {
    const ending = soundEnding(bytes)
    const made = ['1', '2', '3'].map((part) => `a-part0${part}.${ending}`)
    const args = { path: `${lane}/a.${ending}`, splitPoints: [0.5, 1] }
    return { tool: 'split_audio', args, name: `a.${ending}`, made }
  }
  if (isOffice(kind)) {
    const args = { path: `${lane}/a.${kind}`, ...(odd ? { offset: 40, maxCharacters: 1_000 } : {}) }
    return { tool: 'read_document', args, name: `a.${kind}`, made: [] }
  }
  return { tool: 'audio_info', args: { path: `${lane}/a.mp3` }, name: 'a.mp3', made: [] }
}

/** Parts are written in the form that the name says. */
function soundEnding(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (head.startsWith('RIFF')) return 'wav'
  if (head.startsWith('fLaC')) return 'flac'
  if (head.startsWith('OggS')) return 'ogg'
  return head.includes('ftyp') ? 'm4a' : 'mp3'
}

interface Attempted {
  readonly problems: readonly string[]
  readonly ok: boolean
}

function createReport(outcomes: Record<string, number>) {
  let slowest = 0
  const report = async ({ kind }: Trial, work: () => Promise<Attempted>): Promise<string[]> => {
    const began = performance.now()
    const { problems, ok } = await work()
    const tookMs = Math.round(performance.now() - began)
    slowest = Math.max(slowest, tookMs)
    const key = `${kind} ${ok ? 'opened' : 'refused'}`
    outcomes[key] = (outcomes[key] ?? 0) + 1
    return tookMs > longestMs ? [...problems, `it took ${tookMs} ms`] : [...problems]
  }
  return Object.assign(report, { slowest: () => slowest })
}

/** The same confinement with another program in the place of ours. */
async function takeOver(bench: Bench, watched: Watched): Promise<{ count: number; wrong: string[] }> {
  const programs = Object.entries(takenPrograms(watched))
  const folder = mkdtempSync(join(tmpdir(), 'prove-media-taken-'))
  const kept = join(bench.host.workspace, 'kept.txt')
  writeFileSync(kept, watched.token)
  const wrong: string[] = []
  const job = { program: 'pdf', op: 'info' } as const
  const question = { job, form: z.object({ pages: z.int().min(0) }) }
  try {
    for (const [name, code] of programs) {
      writeFileSync(join(folder, 'pdf.ts'), `${code}\nexport {}\n`)
      const taken: Sandbox = {
        ...bench.sandbox,
        run: (command, cancelled) => {
          const instead = command.instead?.map((mount, at) => (at === 0 ? { ...mount, from: folder } : mount))
          return bench.sandbox.run(instead ? { ...command, instead } : command, cancelled)
        },
      }
      const result = await createDocumentPrograms(taken).run(question, Buffer.from('x'), signal)
      const text = JSON.stringify(result)
      const left = [...readdirSync(folder).filter((each) => each !== 'pdf.ts'), ...planted()]
      const problems = [
        ...watched.look(),
        ...(text.includes(reachedMark) || text.includes(watched.token) ? [text.slice(0, 200)] : []),
        ...(left.length > 0 ? [`it left ${left.join(', ')}`] : []),
        ...(readdirSync(bench.host.workspace).join() === 'kept.txt' ? [] : ['it wrote into the workspace']),
        ...(result.kind === 'done' ? ['its answer was taken'] : []),
        ...(text.length > 10_000 ? ['it said more than it may'] : []),
      ]
      wrong.push(...problems.map((problem) => `taken over, ${name}: ${problem}`))
    }
    const after = await createDocumentPrograms(bench.sandbox).run(question, textPdf(['After']), signal)
    if (after.kind !== 'done') wrong.push(`after them an honest file is refused: ${after.reason}`)
    return { count: programs.length, wrong }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(kept, { force: true })
  }
}

const planted = () =>
  ['/usr/bin/planted', '/etc/planted', '/opt/documents'].filter((path) => existsSync(path))
