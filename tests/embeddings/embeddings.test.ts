import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPart } from '../../packages/models/src/embeddings/install.ts'
import { createLocalEmbeddings, type LocalEmbeddings } from '../../packages/models/src/embeddings/local.ts'
import { engineFolder, findPart, modelFolder } from '../../packages/models/src/embeddings/part.ts'
import { memoryMeter } from '../../packages/models/src/embeddings/testing/memory-meter.ts'
import { downloadedWeights } from '../../packages/models/src/embeddings/weights.ts'
import { installedPart } from './installed-part.ts'
import pairs from './pairs.json' with { type: 'json' }

let folder = ''
let embeddings: LocalEmbeddings
const quiet = (): AbortSignal => new AbortController().signal

beforeAll(async () => {
  folder = await installedPart()
  embeddings = createLocalEmbeddings({ folder })
})

afterAll(() => embeddings?.close())

async function vectorsOf(
  texts: readonly string[],
  from: LocalEmbeddings = embeddings,
): Promise<readonly Float32Array[]> {
  const embedded = await from.embed(texts, quiet(), memoryMeter())
  if (embedded.kind !== 'embedded') throw new Error(JSON.stringify(embedded))
  expect(embedded.dimensions).toBe(384)
  return embedded.vectors
}

function likeness(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (!one || !other) throw new Error('A vector is missing.')
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
}

function childrenOf(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([ppid, , ...args]) => Number(ppid) === parent && args.some((word) => word.endsWith('worker.ts')))
    .map(([, pid]) => Number(pid))
}

/** Empty for one that has ended, even while nobody has looked at its end. */
function commandOf(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,args=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.startsWith('Z') ? '' : stdout.trim()
}

async function startBusyParent(): Promise<{
  parent: ChildProcessByStdio<Writable, null, null>
  child: number
}> {
  const program = fileURLToPath(new URL('./busy-parent.ts', import.meta.url))
  const parent = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'ignore', 'inherit'] })
  const children = () => childrenOf(parent.pid ?? 0)
  await expect.poll(children).toHaveLength(1)
  return { parent, child: children()[0] ?? 0 }
}

describe('the installed part', () => {
  test('is whole and holds the engine of this machine only', () => {
    expect(findPart(folder)).toMatchObject({ kind: 'installed', version: '4.3.1' })
    expect(existsSync(engineFolder(folder, process.platform, process.arch))).toBe(true)
    const other = process.platform === 'linux' ? 'darwin' : 'linux'
    expect(existsSync(engineFolder(folder, other, 'arm64'))).toBe(false)
  })

  test('is left as it is when it is installed again', async () => {
    const progress: string[] = []
    const again = await installPart({
      folder,
      onProgress: ({ words }) => progress.push(words),
      signal: quiet(),
    })
    expect(again.kind).toBe('installed')
    expect(progress).toEqual([])
  })

  test('leaves nothing beside itself', () => {
    expect(readdirSync(dirname(folder)).filter((name) => name.includes('installing'))).toEqual([])
  })
})

describe('the model', () => {
  test('makes 384 numbers of length one', async () => {
    for (const vector of await vectorsOf(pairs.map(({ text }) => text))) {
      expect(vector).toHaveLength(384)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    }
  })

  test('finds a paraphrase nearer than what is unrelated', async () => {
    const texts = await vectorsOf(pairs.map(({ text }) => text))
    const same = await vectorsOf(pairs.map((pair) => pair.same))
    const right = (others: readonly Float32Array[]) =>
      texts.filter((text, at) => likeness(text, same[at]) > likeness(text, others[at])).length / texts.length
    const unrelated = right(await vectorsOf(pairs.map((pair) => pair.unrelated)))
    const lookalike = right(await vectorsOf(pairs.map((pair) => pair.lookalike)))
    process.stderr.write(
      `paraphrases: ${pairs.length}; nearer than the unrelated: ${unrelated}, than one that shares its words: ${lookalike}\n`,
    )
    expect(pairs.length).toBeGreaterThanOrEqual(60)
    expect(unrelated).toBeGreaterThanOrEqual(0.99)
    expect(lookalike).toBeGreaterThanOrEqual(0.9)
    expect((unrelated + lookalike) / 2).toBeGreaterThanOrEqual(0.95)
  })

  test('finds the paraphrase among all of them', async () => {
    const texts = await vectorsOf(pairs.map(({ text }) => text))
    const same = await vectorsOf(pairs.map((pair) => pair.same))
    const found = texts.filter((text, at) => {
      const best = likeness(text, same[at])
      return same.every((other, place) => place === at || likeness(text, other) < best)
    })
    expect(found.length / texts.length).toBeGreaterThanOrEqual(0.95)
  })

  test('gives a text the same vector alone, among others and in another process', async () => {
    const texts = pairs.slice(0, 40).map(({ text }) => text)
    const together = await vectorsOf(texts)
    for (const [at, text] of texts.entries()) {
      expect((await vectorsOf([text]))[0]).toEqual(together[at])
    }
    const others = createLocalEmbeddings({ folder })
    expect(await vectorsOf(texts.toReversed(), others)).toEqual(together.toReversed())
    await others.close()
  })

  test('keeps the order over batches and callers', async () => {
    const texts = pairs.flatMap(({ text, same, lookalike }) => [text, same, lookalike])
    const [forwards, backwards] = await Promise.all([vectorsOf(texts), vectorsOf(texts.toReversed())])
    expect(backwards.toReversed()).toEqual(forwards)
  })

  test('reads long, empty and strange texts', async () => {
    const texts = ['', 'x'.repeat(1_000_000), 'word '.repeat(100_000), '😀 \u0000 \ud800 漢字', 'ordinary']
    for (const vector of await vectorsOf(texts)) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  })
})

describe('the process', () => {
  test('ends when it is closed in the middle of its work', async () => {
    const busy = createLocalEmbeddings({ folder })
    const texts = Array.from({ length: 200 }, () => 'a rather long sentence '.repeat(200))
    const before = childrenOf(process.pid)
    const working = busy.embed(texts, quiet(), memoryMeter())
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const [child] = childrenOf(process.pid).filter((pid) => !before.includes(pid))
    expect(child).toBeDefined()
    await busy.close()
    expect(childrenOf(process.pid)).not.toContain(child)
    expect(await working).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
  })

  test('ends when there is nothing to do, and another does the next work', async () => {
    const resting = createLocalEmbeddings({ folder, idleMs: 200 })
    const before = childrenOf(process.pid)
    const newcomers = () => childrenOf(process.pid).filter((pid) => !before.includes(pid))
    const first = await vectorsOf(['ordinary'], resting)
    expect(newcomers()).toHaveLength(1)
    await expect.poll(newcomers).toEqual([])
    expect(await vectorsOf(['ordinary'], resting)).toEqual(first)
    await resting.close()
  })

  test('answers at once when texts are cancelled, and goes on with the next', async () => {
    const controller = new AbortController()
    const texts = Array.from({ length: 500 }, () => 'a rather long sentence '.repeat(200))
    const working = embeddings.embed(texts, controller.signal, memoryMeter())
    setTimeout(() => controller.abort(), 300)
    expect(await working).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
    expect(await vectorsOf(['ordinary'])).toHaveLength(1)
  })

  test.each([0, 300, 1_500])('ends with a parent that exits after %i ms', async (wait) => {
    const { parent, child } = await startBusyParent()
    await new Promise((resolve) => setTimeout(resolve, wait))
    parent.stdin.write('exit\n')
    expect(await new Promise((resolve) => parent.once('exit', resolve))).toBe(7)
    await expect.poll(() => commandOf(child)).toBe('')
  })

  test.each([0, 300, 1_500])('ends with a parent that is killed after %i ms', async (wait) => {
    const { parent, child } = await startBusyParent()
    await new Promise((resolve) => setTimeout(resolve, wait))
    expect(commandOf(child)).toContain('worker.ts')
    parent.kill('SIGKILL')
    await expect.poll(() => commandOf(child)).toBe('')
  })

  test('says what is wrong with weights that cannot be read', async () => {
    const strange = createLocalEmbeddings({ folder, weights: join(tmpdir(), 'no-such-model') })
    expect(await strange.embed(['one'], quiet(), memoryMeter())).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unavailable', message: expect.stringContaining('no-such-model') },
    })
    await strange.close()
  })
})

describe('the weights', () => {
  test('can be fetched from an address, with progress', async () => {
    const server = createServer((request, response) => {
      const path = (request.url ?? '').replace('/Xenova/all-MiniLM-L6-v2/resolve/main/', '')
      createReadStream(join(modelFolder(folder), path)).pipe(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const to = await mkdtemp(join(tmpdir(), 'countersign-weights-'))
    const seen: number[] = []
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const end = await downloadedWeights(base, to, quiet(), (received, total) => seen.push(received / total))
    expect(end).toEqual({ kind: 'done' })
    expect(seen.length).toBeGreaterThan(10)
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(seen.at(-1)).toBe(1)
    const own = createLocalEmbeddings({ folder, weights: to })
    expect(await vectorsOf(['ordinary'], own)).toEqual(await vectorsOf(['ordinary']))
    await own.close()
    server.close()
    expect((await readFile(join(to, 'config.json'))).length).toBeGreaterThan(100)
    await rm(to, { recursive: true })
  })
})
