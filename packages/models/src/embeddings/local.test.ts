import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { keptMeter } from '../media/testing/kept-meter.ts'
import { createLocalEmbeddings, type LocalEmbeddings, type LocalEmbeddingsOptions } from './local.ts'
import { libraryFile, sealFile, sealOf } from './part.ts'

const quiet = (): AbortSignal => new AbortController().signal
const folders: string[] = []
const opened: LocalEmbeddings[] = []

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
  const thread = new URL('./testing/false-thread.ts', import.meta.url)
  const embeddings = createLocalEmbeddings({ folder: falsePart(), thread, ...change })
  opened.push(embeddings)
  return embeddings
}

/** The first number tells the text's length, the second which thread it was. */
async function vectorsOf(embeddings: LocalEmbeddings, texts: readonly string[]): Promise<number[][]> {
  const embedded = await embeddings.embed(texts, quiet(), keptMeter())
  if (embedded.kind !== 'embedded') throw new Error(JSON.stringify(embedded))
  return embedded.vectors.map((vector) => [...vector])
}

const textsOfLength = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => 'x'.repeat(index + 1))

describe('local embeddings', () => {
  test('keep the order of the texts over batches, and cost nothing', async () => {
    const meter = keptMeter()
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
    const meter = keptMeter()
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
    expect(await embeddings.embed(['one'], quiet(), keptMeter())).toMatchObject({ kind: 'unavailable' })
    mkdirSync(dirname(libraryFile(folder)), { recursive: true })
    writeFileSync(libraryFile(folder), '')
    writeFileSync(sealFile(folder), sealOf(1))
    expect(await embeddings.embed(['one'], quiet(), keptMeter())).toMatchObject({ kind: 'embedded' })
  })

  test.each([
    ['of another version', JSON.stringify({ version: '4.0.0', bytes: 1, list: 'other' })],
    ['with an unreadable seal', '{'],
  ])('are not taken from a part %s', async (_what, seal) => {
    const folder = falsePart()
    writeFileSync(sealFile(folder), seal)
    expect(await open({ folder }).embed(['one'], quiet(), keptMeter())).toMatchObject({ kind: 'unavailable' })
  })

  test('are not taken from a part whose files are gone', async () => {
    const folder = falsePart()
    rmSync(libraryFile(folder))
    expect(await open({ folder }).embed(['one'], quiet(), keptMeter())).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('damaged'),
    })
  })

  test('fail the texts under way when the thread crashes, and start another', async () => {
    const embeddings = open()
    const meter = keptMeter()
    const [before] = await vectorsOf(embeddings, ['one'])
    expect(await embeddings.embed(['crash'], quiet(), meter)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unavailable', message: expect.stringContaining('It crashed.') },
    })
    expect(meter.spent).toMatchObject([{ outcome: 'unavailable' }])
    const [after] = await vectorsOf(embeddings, ['one'])
    expect(after?.[0]).toBe(3)
    expect(after?.[1]).not.toBe(before?.[1])
  })

  test('that wait behind a crash are not lost', async () => {
    const embeddings = open()
    const crashing = embeddings.embed(['crash'], quiet(), keptMeter())
    const second = embeddings.embed(['slow'], quiet(), keptMeter())
    const third = embeddings.embed(['three'], quiet(), keptMeter())
    expect(await crashing).toMatchObject({ kind: 'failed' })
    expect(await second).toMatchObject({ kind: 'failed' })
    expect(await third).toMatchObject({ kind: 'embedded' })
  })

  test('fail for one caller where its text cannot be read, and go on in the same thread', async () => {
    const embeddings = open()
    const [before] = await vectorsOf(embeddings, ['one'])
    expect(await embeddings.embed(['fail'], quiet(), keptMeter())).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unknown', message: expect.stringContaining('It cannot be read.') },
    })
    expect((await vectorsOf(embeddings, ['one']))[0]).toEqual(before)
  })

  test('are answered at once when they are cancelled, and the thread goes on', async () => {
    const embeddings = open()
    const meter = keptMeter()
    const controller = new AbortController()
    const [before] = await vectorsOf(embeddings, ['one'])
    const slow = embeddings.embed(
      Array.from({ length: 64 }, () => 'slow'),
      controller.signal,
      meter,
    )
    const began = performance.now()
    setTimeout(() => controller.abort(), 20)
    expect(await slow).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
    expect(performance.now() - began).toBeLessThan(250)
    expect(meter.spent).toMatchObject([{ outcome: 'cancelled' }])
    expect((await vectorsOf(embeddings, ['one']))[0]).toEqual(before)
  })

  test('of one question do not wait behind a whole archive', async () => {
    const embeddings = open()
    const order: string[] = []
    const archive = embeddings
      .embed(
        Array.from({ length: 160 }, () => 'slow'),
        quiet(),
        keptMeter(),
      )
      .then(() => order.push('archive'))
    const question = embeddings.embed(['one'], quiet(), keptMeter()).then(() => order.push('question'))
    await Promise.all([archive, question])
    expect(order).toEqual(['question', 'archive'])
  })

  test('are refused beyond what may wait, and taken again afterwards', async () => {
    const embeddings = open({ mostWaiting: 40 })
    expect(await embeddings.embed(textsOfLength(41), quiet(), keptMeter())).toMatchObject({
      kind: 'failed',
      failure: { kind: 'rate_limited' },
    })
    expect(await embeddings.embed(textsOfLength(40), quiet(), keptMeter())).toMatchObject({
      kind: 'embedded',
    })
    expect(await embeddings.embed(textsOfLength(40), quiet(), keptMeter())).toMatchObject({
      kind: 'embedded',
    })
  })

  test('end their thread after a while without work', async () => {
    const embeddings = open({ idleMs: 50 })
    const [before] = await vectorsOf(embeddings, ['one'])
    expect((await vectorsOf(embeddings, ['one']))[0]).toEqual(before)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await vectorsOf(embeddings, ['one']))[0]?.[1]).not.toBe(before?.[1])
  })

  test('are not made where the budget is spent', async () => {
    const embedded = await open().embed(['one'], quiet(), keptMeter({ refuses: true }))
    expect(embedded).toMatchObject({ kind: 'failed', failure: { kind: 'budget' } })
  })

  test('end with everything that waits when they are closed', async () => {
    const embeddings = open()
    const slow = embeddings.embed(
      Array.from({ length: 64 }, () => 'slow'),
      quiet(),
      keptMeter(),
    )
    await embeddings.close()
    expect(await slow).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
    expect(await embeddings.embed(['one'], quiet(), keptMeter())).toMatchObject({ kind: 'failed' })
  })

  test('of nothing are nothing', async () => {
    const meter = keptMeter()
    expect(await open().embed([], quiet(), meter)).toMatchObject({ kind: 'embedded', vectors: [] })
    expect(meter.planned).toHaveLength(0)
  })
})
