import { execFileSync } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { idFrom, type JsonObject, type ToolResult } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { builtinTools, createCatalogue } from '@countersign/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { documentCapabilities } from '../capabilities/documents.ts'
import { type Executor, openExecutor } from '../executor.ts'
import { createTestHost, sealTestPermit, type TestHost } from '../testing/host.ts'
import { crossReferenced, inflating, textPdf } from './testing/pdf-file.ts'
import { greyPng } from './testing/png-file.ts'
import { toneWav } from './testing/wav-file.ts'

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

/** Every path with its content. */
const state = () =>
  readdirSync(host.workspace, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((path) => [path, statSync(at(path)).isFile() ? sha256Hex(readFileSync(at(path))) : null])

/** Takes the call back and makes it anew by taking that back, where it was small enough to be kept. */
async function expectUndone(before: unknown, { undo }: ToolResult): Promise<void> {
  if (!undo) throw new Error('no undo')
  const after = state()
  const undone = await use(undo.tool, JSON.parse(undo.args) as JsonObject)
  expect(undone).toMatchObject({ ok: true, tier: 1 })
  expect(state()).toEqual(before)
  if (!undone.undo) throw new Error('no undo of the undo')
  expect(await use(undone.undo.tool, JSON.parse(undone.undo.args) as JsonObject)).toMatchObject({ ok: true })
  expect(state()).toEqual(after)
}

describe('create_pdf', () => {
  it('makes a document from Markdown that reads as it was written, and is undone', async () => {
    const before = state()
    const content =
      '# Offer\n\nWe **offer** *twelve* `chairs` – for 20 €.\n\n- oak\n- ash\n\n1. first\n\n> quoted\n\n' +
      '| wood | price |\n|---|---|\n| oak | 20 |\n\n```\nlet x = 1\n```\n\n---\nSee [us](https://example.org/a).'
    const made = await use('create_pdf', { content, outputPath: 'made/offer.pdf', title: 'An offer' })
    expect(made).toMatchObject({ ok: true, tier: 1 })
    expect(made.summary).toMatch(/^Created made\/offer\.pdf \(1 page, .* kB\)$/)
    const { text } = await use('read_pdf', { path: 'made/offer.pdf' })
    for (const words of [
      'Offer',
      'We offer twelve chairs – for 20 €.',
      '• oak',
      '1. first',
      'quoted',
      'let x = 1',
    ])
      expect(text.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(text).toContain('us (https://example.org/a)')
    expect(text).not.toMatch(/[*`#|]/)
    expect((await use('pdf_info', { path: 'made/offer.pdf' })).text).toContain('"title":"An offer"')
    await expectUndone(before, made)
  })

  it('makes many pages, writes plain text as it is, and knows other alphabets', async () => {
    const content = Array.from({ length: 200 }, (_, index) => `# ${index + 1} Zażółć Привет`).join('\n')
    const made = await use('create_pdf', { content, outputPath: 'plain.pdf', format: 'text' })
    expect(made.summary).toContain('5 pages')
    const { text } = await use('read_pdf', { path: 'plain.pdf', pages: '5' })
    expect(text).toContain('# 200 Zażółć Привет')
  })

  it('is read up to the middle of a character', async () => {
    await use('create_pdf', { content: '𝔸𝔹', outputPath: 'double.pdf' })
    const { ok, text } = await use('read_pdf', { path: 'double.pdf', maxCharacters: 3 })
    expect([ok, text.split('\n')[1]]).toEqual([true, '𝔸\ufffd'])
  })

  it('names the characters that it cannot draw', async () => {
    const result = await use('create_pdf', { content: 'Sun \u{1F31E} and 日', outputPath: 'sun.pdf' })
    expect(result).toMatchObject({
      ok: false,
      text: 'No font here has \u{1F31E} 日. Leave these characters out.',
    })
  })

  it('replaces a document only when told to, and gives it back', async () => {
    put('kept.pdf', textPdf(['Before']))
    const args = { content: 'After', outputPath: 'kept.pdf' }
    await expect(use('create_pdf', args)).rejects.toThrow('kept.pdf exists already')
    const before = state()
    const made = await use('create_pdf', { ...args, overwrite: true })
    expect((await use('read_pdf', { path: 'kept.pdf' })).text).toContain('After')
    await expectUndone(before, made)
  })
})

describe('resize_image', () => {
  it('makes a copy beside the picture, and is undone', async () => {
    put('wide.png', greyPng(400, 100))
    const before = state()
    const made = await use('resize_image', { image: 'wide.png', width: 200, height: 200 })
    expect(made).toMatchObject({ ok: true, tier: 1 })
    expect(made.summary).toContain('Created wide-200x200.png (200 × 50, ')
    const head = readFileSync(at('wide-200x200.png'))
    expect([head.readUInt32BE(16), head.readUInt32BE(20)]).toEqual([200, 50])
    await expectUndone(before, made)
  })

  it.each([
    ['jpg', [0xff, 0xd8, 0xff]],
    ['webp', [...Buffer.from('RIFF')]],
    ['gif', [...Buffer.from('GIF8')]],
    ['tiff', [...Buffer.from('II')]],
  ])('makes a %s', async (ending, begins) => {
    const args = { image: 'wide.png', width: 40, height: 40, fit: 'cover', outputPath: `thumbs/a.${ending}` }
    expect((await use('resize_image', args)).summary).toContain('40 × 40')
    expect([...readFileSync(at(args.outputPath)).subarray(0, begins.length)]).toEqual(begins)
  })

  it.each([
    ['a head that says 60,000 × 60,000', greyPng(8, 8, { says: { width: 60_000, height: 60_000 } }), 'pixel'],
    [
      'a drawing that reads files',
      '<svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
      'no picture',
    ],
    ['words', 'not really a picture', 'no picture'],
    ['half a picture', greyPng(300, 300).subarray(0, 80), 'damaged'],
    ['a document', textPdf(['Hello']), 'no picture'],
  ])('refuses %s', async (_, bytes, reason) => {
    put('odd.png', bytes)
    const result = await use('resize_image', { image: 'odd.png', width: 10, height: 10, overwrite: true })
    expect(result.ok).toBe(false)
    expect(result.text).toContain(reason)
  })

  it('refuses to replace the picture itself, and endings that it does not know', async () => {
    const args = { image: 'wide.png', width: 10, height: 10 }
    await expect(use('resize_image', { ...args, outputPath: 'wide.png', overwrite: true })).rejects.toThrow(
      'its copy',
    )
    await expect(use('resize_image', { ...args, outputPath: 'wide.svg' })).rejects.toThrow(
      'must end in one of',
    )
  })
})

describe('sound', () => {
  it('is looked at', async () => {
    put('tone.wav', toneWav(6))
    const { text, tier, summary } = await use('audio_info', { path: 'tone.wav' })
    expect(tier).toBe(0)
    expect(JSON.parse(text)).toMatchObject({ codec: 'pcm_u8', seconds: 6, sampleRate: 8000, channels: 1 })
    expect(summary).toBe('tone.wav is 6.0 seconds of pcm_u8')
  })

  it.each(['wav', 'flac', 'mp3', 'm4a', 'ogg'])(
    'is split as %s, and put together again by the undo',
    async (ending) => {
      if (ending !== 'wav')
        execFileSync('ffmpeg', ['-v', 'error', '-i', at('tone.wav'), at(`tone.${ending}`)])
      const before = state()
      const path = `tone.${ending}`
      const made = await use('split_audio', { path, splitPoints: [2, 5], outputFolder: 'parts' })
      expect(made).toMatchObject({ ok: true, tier: 1, summary: `Split ${path} into 3 parts` })
      const lengths = []
      for (const part of ['01', '02', '03']) {
        const { text } = await use('audio_info', { path: `parts/tone-part${part}.${ending}` })
        lengths.push((JSON.parse(text) as { seconds: number }).seconds)
      }
      for (const [index, wanted] of [2, 3, 1].entries()) expect(lengths[index]).toBeCloseTo(wanted, 0)
      await expectUndone(before, made)
    },
  )

  it('is not split beyond its end, over files that are there, or where there is none', async () => {
    const args = { path: 'tone.wav', splitPoints: [3] }
    expect(await use('split_audio', { path: 'tone.wav', splitPoints: [7] })).toMatchObject({
      ok: false,
      text: 'tone.wav: It is 6.0 seconds long; 7 is after its end.',
    })
    put('tone-part02.wav', 'mine')
    await expect(use('split_audio', args)).rejects.toThrow('tone-part02.wav exists already')
    put('list.mp3', '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')
    expect(await use('audio_info', { path: 'list.mp3' })).toMatchObject({ ok: false })
  })
})

it('opens nothing for a tool whose permit is for something else', async () => {
  const documents = documentCapabilities(
    { sandbox: 'files:x' },
    { read: () => Promise.reject(new Error('read')) },
    {
      documents: { run: () => Promise.reject(new Error('ran')) },
    },
  )
  expect(
    await documents.run(
      { job: { program: 'pdf', op: 'info' }, form: z.unknown() },
      { root: 'workspace', path: 'a' },
      signal,
    ),
  ).toEqual({
    kind: 'failed',
    reason: 'The permit is for a tool that opens no documents.',
  })
})
