import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { createLocalEmbeddings, type LocalEmbeddings, type LocalEmbeddingsOptions } from './local.ts'
import { libraryFile, sealFile, sealOf } from './part.ts'
import { memoryMeter } from './testing/memory-meter.ts'

const quiet = (): AbortSignal => new AbortController().signal
const folders: string[] = []
const opened: LocalEmbeddings[] = []
const falseWorker = new URL('./testing/faulty-worker.ts', import.meta.url)

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-embeddings-'))
  folders.push(folder)
  return folder
}

/** Whole by its looks. */
function falsePart(): string {
  const folder = emptyFolder()
  mkdirSync(dirname(libraryFile(folder)), { recursive: true })
  writeFileSync(libraryFile(folder), '')
  writeFileSync(sealFile(folder), sealOf(1))
  return folder
}

function open(change: Partial<LocalEmbeddingsOptions> = {}): LocalEmbeddings {
  const embeddings = createLocalEmbeddings({ folder: falsePart(), worker: falseWorker, ...change })
  opened.push(embeddings)
  return embeddings
}

/** The first number tells the text's length, the second which process it was. */
async function vectorsOf(embeddings: LocalEmbeddings, texts: readonly string[]): Promise<number[][]> {
  const embedded = await embeddings.embed(texts, quiet(), memoryMeter())
  if (embedded.kind !== 'embedded') throw new Error(JSON.stringify(embedded))
  return embedded.vectors.map((vector) => [...vector])
}

async function processOf(embeddings: LocalEmbeddings): Promise<number> {
  const [vector] = await vectorsOf(embeddings, ['one'])
  return vector?.[1] ?? 0
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const textsOfLength = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => 'x'.repeat(index + 1))

describe('local embeddings', () => {
  test('keep the order of the texts over batches, and cost nothing', async () => {
    const meter = memoryMeter()
    const texts = textsOfLength(100)
    const embedded = await open().embed(texts, quiet(), meter)
    if (embedded.kind !== 'embedded') throw new Error(JSON.stringify(embedded))
    expect(embedded.vectors.map(([length]) => length)).toEqual(texts.map((text) => text.length))
    expect(embedded.model).toBe('local-embeddings/all-MiniLM-L6-v2')
    expect(meter.planned).toMatchObject([
      { provider: 'local-embeddings', purpose: 'embeddings', worstNanos: 0 },
    ])
    expect(meter.spent).toMatchObject([{ outcome: 'delivered', costNanos: 0, estimated: true }])
    expect(meter.open).toBe(0)
  })

  test('say what to do where the part is not installed', async () => {
    const meter = memoryMeter()
    const embedded = await open({ folder: emptyFolder() }).embed(['one'], quiet(), meter)
    expect(embedded).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('countersign provider add local-embeddings'),
    })
    expect(meter.planned).toHaveLength(0)
  })

  test('are found once the part is installed, without a new start', async () => {
    const folder = emptyFolder()
    const embeddings = open({ folder })
    expect(await embeddings.embed(['one'], quiet(), memoryMeter())).toMatchObject({ kind: 'unavailable' })
    mkdirSync(dirname(libraryFile(folder)), { recursive: true })
    writeFileSync(libraryFile(folder), '')
    writeFileSync(sealFile(folder), sealOf(1))
    expect(await embeddings.embed(['one'], quiet(), memoryMeter())).toMatchObject({ kind: 'embedded' })
  })

  test.each([
    ['of another version', JSON.stringify({ version: '4.0.0', bytes: 1, list: 'other' })],
    ['with an unreadable seal', '{'],
  ])('are not taken from a part %s', async (_what, seal) => {
    const folder = falsePart()
    writeFileSync(sealFile(folder), seal)
    expect(await open({ folder }).embed(['one'], quiet(), memoryMeter())).toMatchObject({
      kind: 'unavailable',
    })
  })

  test('are not taken from a part whose files are gone', async () => {
    const folder = falsePart()
    rmSync(libraryFile(folder))
    expect(await open({ folder }).embed(['one'], quiet(), memoryMeter())).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('damaged'),
    })
  })

  test.each([
    ['throw', /ended with code 1: Error: It crashed\./],
    ['exit', /ended with code 3\./],
    ['abort', /was ended by SIGABRT/],
    ['SIGSEGV', /was ended by SIGSEGV/],
    ['SIGKILL', /was ended by SIGKILL/],
  ])('fail when the process ends by %s, and the next start another', async (text, words) => {
    const embeddings = open()
    const meter = memoryMeter()
    const before = await processOf(embeddings)
    expect(await embeddings.embed([text], quiet(), meter)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unavailable', message: expect.stringMatching(words) },
    })
    expect(meter.spent).toMatchObject([{ outcome: 'unavailable' }])
    expect(await processOf(embeddings)).not.toBe(before)
  })

  test('fail where there is no such program', async () => {
    const embeddings = open({ worker: new URL('./testing/no-such-worker.ts', import.meta.url) })
    expect(await embeddings.embed(['one'], quiet(), memoryMeter())).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unavailable', message: expect.stringContaining('no-such-worker.ts') },
    })
  })

  test('that wait behind a crash are not lost', async () => {
    const embeddings = open()
    const crashing = embeddings.embed(['exit'], quiet(), memoryMeter())
    const second = embeddings.embed(['slow'], quiet(), memoryMeter())
    const third = embeddings.embed(['three'], quiet(), memoryMeter())
    expect(await crashing).toMatchObject({ kind: 'failed' })
    expect(await second).toMatchObject({ kind: 'failed' })
    expect(await third).toMatchObject({ kind: 'embedded' })
  })

  test('fail for one caller where its text cannot be read, and go on in the same process', async () => {
    const embeddings = open()
    const [before] = await vectorsOf(embeddings, ['one'])
    expect(await embeddings.embed(['fail'], quiet(), memoryMeter())).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unknown', message: expect.stringContaining('It cannot be read.') },
    })
    expect((await vectorsOf(embeddings, ['one']))[0]).toEqual(before)
  })

  test('are answered at once when they are cancelled, and the process goes on', async () => {
    const embeddings = open()
    const meter = memoryMeter()
    const controller = new AbortController()
    const [before] = await vectorsOf(embeddings, ['one'])
    const slow = embeddings.embed(
      Array.from({ length: 64 }, () => 'slow'),
      controller.signal,
      meter,
    )
    setImmediate(() => controller.abort())
    expect(await slow).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
    expect(meter.spent).toMatchObject([{ outcome: 'cancelled' }])
    expect((await vectorsOf(embeddings, ['one']))[0]).toEqual(before)
  })

  test('are refused beyond what may wait, and taken again afterwards', async () => {
    const embeddings = open({ mostWaiting: 40 })
    expect(await embeddings.embed(textsOfLength(41), quiet(), memoryMeter())).toMatchObject({
      kind: 'failed',
      failure: { kind: 'rate_limited' },
    })
    expect(await embeddings.embed(textsOfLength(40), quiet(), memoryMeter())).toMatchObject({
      kind: 'embedded',
    })
    expect(await embeddings.embed(textsOfLength(40), quiet(), memoryMeter())).toMatchObject({
      kind: 'embedded',
    })
  })

  test('end their process after a while without work', async () => {
    const embeddings = open({ idleMs: 100 })
    const before = await processOf(embeddings)
    expect(await processOf(embeddings)).toBe(before)
    await expect.poll(() => isAlive(before)).toBe(false)
    expect(await processOf(embeddings)).not.toBe(before)
  })

  test('tell their process nothing of our environment', async () => {
    process.env.COUNTERSIGN_TEST_SECRET = 'secret'
    const [vector] = await vectorsOf(open(), ['environment'])
    delete process.env.COUNTERSIGN_TEST_SECRET
    expect(vector?.[0]).toBe(0)
  })

  test('leave no process behind when their parent is killed in the middle of its work', async () => {
    const program = fileURLToPath(new URL('./testing/parent.ts', import.meta.url))
    const args = [program, falsePart(), fileURLToPath(falseWorker), 'slow']
    const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once('data', (words: Buffer) => resolve(Number(words.toString())))
    })
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    // It ends at once, but keeps its number until whoever inherited it has looked.
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('are not made where the budget is spent', async () => {
    const embedded = await open().embed(['one'], quiet(), memoryMeter({ refuses: true }))
    expect(embedded).toMatchObject({ kind: 'failed', failure: { kind: 'budget' } })
  })

  test('end with everything that waits when they are closed', async () => {
    const embeddings = open()
    const slow = embeddings.embed(
      Array.from({ length: 64 }, () => 'slow'),
      quiet(),
      memoryMeter(),
    )
    await embeddings.close()
    expect(await slow).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
    expect(await embeddings.embed(['one'], quiet(), memoryMeter())).toMatchObject({ kind: 'failed' })
  })

  test('end their process when they are closed while it works', async () => {
    const embeddings = open()
    const pid = await processOf(embeddings)
    const working = embeddings.embed(['slow', 'slow', 'slow'], quiet(), memoryMeter())
    await embeddings.close()
    expect(isAlive(pid)).toBe(false)
    expect(await working).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
  })

  test('end their process when they are closed while it hangs', async () => {
    const mark = join(emptyFolder(), 'hangs')
    const embeddings = open()
    const pid = await processOf(embeddings)
    const working = embeddings.embed([`hang ${mark}`], quiet(), memoryMeter())
    await expect.poll(() => existsSync(mark)).toBe(true)
    await embeddings.close()
    expect(isAlive(pid)).toBe(false)
    expect(await working).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
  })

  test('of nothing are nothing', async () => {
    const meter = memoryMeter()
    expect(await open().embed([], quiet(), meter)).toMatchObject({ kind: 'embedded', vectors: [] })
    expect(meter.planned).toHaveLength(0)
  })
})
