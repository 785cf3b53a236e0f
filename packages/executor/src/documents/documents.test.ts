import { randomUUIDv7 } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { idFrom, type JsonObject, type ToolResult } from '@countersign/contract'
import { builtinTools, createCatalogue } from '@countersign/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from '../executor.ts'
import { createTestHost, sealTestPermit, type TestHost } from '../testing/host.ts'
import { crossReferenced, inflating, textPdf } from './testing/pdf-file.ts'

const catalogue = createCatalogue(builtinTools)
const { signal } = new AbortController()
const run = idFrom('run', randomUUIDv7())

let host: TestHost
let executor: Executor

beforeAll(async () => {
  host = { ...createTestHost(), catalogue }
  executor = await openExecutor(host.options, { catalogue })
  executor.setWorld(host.world)
})
afterAll(async () => {
  await executor.close()
  host.remove()
})

const at = (path: string) => join(host.workspace, path)
const put = (path: string, bytes: string | Uint8Array) => writeFileSync(at(path), bytes)

async function use(tool: string, args: JsonObject): Promise<ToolResult & { tier: number }> {
  const permit = await sealTestPermit(host, { tool, args, run }, executor.resolve)
  const reply = await executor.execute(permit, signal)
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return { ...reply.result, tier: permit.subject.tier }
}

describe('read_pdf', () => {
  it('reads the text page by page, as an observation', async () => {
    put('offer.pdf', textPdf(['We offer 12 chairs.', 'Yours, Anna']))
    expect(await use('read_pdf', { path: 'offer.pdf' })).toEqual({
      ok: true,
      tier: 0,
      text: '[page 1 of 2]\nWe offer 12 chairs.\n\n[page 2 of 2]\nYours, Anna',
      summary: 'Read 2 of 2 pages of offer.pdf',
      undo: null,
    })
  })

  it('reads the pages that were asked for, and says that there is more', async () => {
    put('long.pdf', textPdf(Array.from({ length: 9 }, (_, index) => `This is page ${index + 1}.`)))
    const some = await use('read_pdf', { path: 'long.pdf', pages: '8-9,2' })
    expect(some.text.match(/This is page \d/g)).toEqual([
      'This is page 8',
      'This is page 9',
      'This is page 2',
    ])
    const cut = await use('read_pdf', { path: 'long.pdf', maxCharacters: 20 })
    expect(cut.text).toContain('Ask for the pages from 2 on.')
    expect(await use('read_pdf', { path: 'long.pdf', pages: '10' })).toMatchObject({
      ok: false,
      text: 'long.pdf: It has 9 pages; there is no page 10.',
    })
  })

  it('says of a page without text that it may be a picture', async () => {
    put('scan.pdf', textPdf(['']))
    expect((await use('read_pdf', { path: 'scan.pdf' })).text).toContain('as a scan is')
  })

  it.each([
    ['words', 'Not a document at all', 'It is not a PDF document.'],
    ['a beginning alone', '%PDF-1.7\n', 'It is damaged'],
    ['a document cut in two', textPdf(['Half']).subarray(0, 120), 'It is damaged'],
  ])('says what is wrong with %s', async (_, bytes, reason) => {
    put('bad.pdf', bytes)
    const result = await use('read_pdf', { path: 'bad.pdf' })
    expect(result.ok).toBe(false)
    expect(result.text).toContain(reason)
  })

  it.each([
    ['a page', (bomb: Uint8Array) => textPdf([bomb])],
    ['a table of objects', crossReferenced],
  ])(
    'ends at a bound for %s that grows a thousandfold, and goes on after it',
    async (_, make) => {
      put('bomb.pdf', make(inflating(4_000)))
      const result = await use('read_pdf', { path: 'bomb.pdf' })
      expect(result.text).toMatch(/more memory|damaged|seconds|no text/)
      put('after.pdf', textPdf(['Still here']))
      expect((await use('read_pdf', { path: 'after.pdf' })).text).toContain('Still here')
    },
    90_000,
  )

  it('refuses what is larger than 25 MB before it is opened', async () => {
    put('huge.pdf', Buffer.alloc(25_000_001))
    await expect(use('read_pdf', { path: 'huge.pdf' })).rejects.toThrow('at most 25.0 MB are opened')
  })

  it('opens 24 MB', async () => {
    put('heavy.pdf', Buffer.concat([textPdf(['Heavy']), Buffer.alloc(24_000_000, 10)]))
    expect((await use('read_pdf', { path: 'heavy.pdf' })).text).toContain('Heavy')
  }, 60_000)
})

describe('pdf_info', () => {
  it('says what a document says of itself', async () => {
    put('titled.pdf', textPdf(['One', 'Two'], { Title: 'Offer', Author: 'Anna' }))
    const { text, tier } = await use('pdf_info', { path: 'titled.pdf' })
    expect(tier).toBe(0)
    expect(JSON.parse(text)).toMatchObject({
      pages: 2,
      title: 'Offer',
      author: 'Anna',
      pageWidth: 595,
      pageHeight: 842,
      encrypted: false,
      attachments: 0,
      programs: false,
    })
  })

  it('opens what it was shown, and not what came in its place', async () => {
    put('changed.pdf', textPdf(['Before']))
    const permit = await sealTestPermit(
      host,
      { tool: 'pdf_info', args: { path: 'changed.pdf' }, run },
      executor.resolve,
    )
    put('changed.pdf', textPdf(['After']))
    expect(await executor.execute(permit, signal)).toMatchObject({ kind: 'refused' })
  })
})

it('leaves nothing behind in the workspace', () => {
  mkdirSync(at('.seen'), { recursive: true })
  expect(readdirSync(at('.')).every((name) => name === '.seen' || name.endsWith('.pdf'))).toBe(true)
  expect(readFileSync(at('offer.pdf')).equals(textPdf(['We offer 12 chairs.', 'Yours, Anna']))).toBe(true)
})
