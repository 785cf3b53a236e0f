import { promptPictures } from '@countersign/agent'
import { type Attachment, attachmentOf } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { describe, expect, test } from 'vitest'
import { type PastMessage, pictureLimits, showPictures } from './show-pictures.ts'
import { jpegOf, pngOf } from './testing.ts'

const files = new Map<string, Uint8Array>()

function attached(name: string, bytes: Uint8Array, change: Partial<Attachment> = {}): Attachment {
  const path = `attachments/${name}`
  files.set(path, bytes)
  return { ...attachmentOf({ path, name, sha256: sha256Hex(bytes), bytes: bytes.length }), ...change }
}

const said = (text: string, ...attachments: Attachment[]): PastMessage => ({
  role: 'user',
  text,
  attachments,
})

async function show(past: readonly PastMessage[], areTaken = true) {
  const read: string[] = []
  const became = await showPictures(past, {
    read: async (path, most) => {
      read.push(path)
      const bytes = files.get(path)
      return bytes && bytes.length <= most ? bytes : undefined
    },
    areTaken: async () => areTaken,
  })
  const messages = became.flatMap((each) => each.messages)
  return { messages, read, shown: became.flatMap(({ files: shown }) => shown) }
}

describe('a picture of the conversation', () => {
  test('is shown as the bytes that were sent, of the kind that they are, whatever its ending says', async () => {
    const png = pngOf(10, 10, 'rest')
    const { messages, shown } = await show([
      said('Look.', attached('a.png', png)),
      said('', attached('wrong.png', jpegOf(4, 4))),
    ])
    expect(messages).toEqual([
      {
        role: 'user',
        text: `Look.\n\nAttached files:\n- attachments/a.png (image/png, ${png.length} bytes): this picture is shown to you`,
        images: [{ mediaType: 'image/png', base64: Buffer.from(png).toString('base64') }],
      },
      {
        role: 'user',
        text: expect.stringMatching(/^Attached files:/),
        images: [{ mediaType: 'image/jpeg', base64: expect.any(String) }],
      },
    ])
    expect(shown).toEqual(['attachments/a.png', 'attachments/wrong.png'])
  })

  test.each([
    ['no picture', attached('page.png', Buffer.from('<html>')), 'no PNG, JPEG, WebP or GIF'],
    ['a cut header', attached('cut.png', pngOf(5, 5).subarray(0, 20)), 'no PNG, JPEG, WebP or GIF'],
    ['too wide', attached('wide.png', pngOf(30_000, 1)), '30000 x 1 pixels'],
    ['a bomb', attached('bomb.png', pngOf(30_000, 30_000)), '30000 x 30000 pixels'],
    ['many pixels', attached('many.png', pngOf(8_000, 8_000)), '8000 x 8000 pixels'],
    [
      'too long',
      attached('long.png', pngOf(5, 5, 'x'.repeat(pictureLimits.bytes))),
      'A smaller copy can be attached',
    ],
    [
      'another by now',
      attached('swapped.png', pngOf(5, 5), { sha256: 'b'.repeat(64) }),
      'not the one that was sent',
    ],
    ['longer by now', attached('grown.png', pngOf(5, 5, 'more'), { bytes: 33 }), 'not the one that was sent'],
    [
      'gone',
      attachmentOf({ path: 'attachments/gone.png', name: 'gone.png', sha256: 'c'.repeat(64), bytes: 3 }),
      'or is gone',
    ],
  ])('is told of in words where it is %s', async (_, file, because) => {
    const { messages, shown } = await show([said('Look.', file)])
    expect(messages).toEqual([{ role: 'user', text: expect.stringContaining(`: not shown to you: `) }])
    expect(messages[0]).toMatchObject({ text: expect.stringContaining(because) })
    expect(shown).toEqual([])
  })

  test('is told of in words and not even read where no model takes pictures', async () => {
    const { messages, read, shown } = await show([said('Look.', attached('a.png', pngOf(1, 1)))], false)
    expect(messages).toEqual([{ role: 'user', text: expect.stringContaining('takes no pictures') }])
    expect([read, shown]).toEqual([[], []])
  })

  test('is told of by its place alone once newer ones have come', async () => {
    const past = Array.from({ length: promptPictures.count + 2 }, (_, at) =>
      said(`Number ${at}.`, attached(`${at}.png`, pngOf(1, 1 + at))),
    )
    const { messages, shown } = await show(past)
    expect(shown).toHaveLength(promptPictures.count)
    expect(messages.slice(0, 2)).toEqual([
      { role: 'user', text: expect.stringMatching(/0\.png .*no longer shown$/) },
      { role: 'user', text: expect.stringMatching(/1\.png .*no longer shown$/) },
    ])
    expect(messages[2]).toHaveProperty('images')
  })

  test('takes its share of what one prompt holds, the newest first', async () => {
    const big = (name: string) => said(name, attached(name, pngOf(5, 5, 'x'.repeat(3_700_000))))
    const { shown } = await show([big('1.png'), big('2.png'), big('3.png'), big('4.png')])
    expect(shown).toEqual(['attachments/2.png', 'attachments/3.png', 'attachments/4.png'])
  })

  test('that is too large by itself takes no room from those before it', async () => {
    const large = attached('large.png', pngOf(5, 5), { bytes: promptPictures.bytes + 1 })
    const { messages, shown, read } = await show([
      said('Small.', attached('small.png', pngOf(6, 6))),
      said('Large.', large),
    ])
    expect(shown).toEqual(['attachments/small.png'])
    expect(read).toEqual(['attachments/small.png'])
    expect(messages[1]).toEqual({
      role: 'user',
      text: expect.stringContaining('A smaller copy can be attached'),
    })
  })

  test('is not looked for among other files', async () => {
    const { messages, read } = await show([
      said('Look.', attached('a.pdf', pngOf(1, 1))),
      { role: 'assistant', text: 'Yes.', calls: [] },
    ])
    expect(messages).toEqual([
      {
        role: 'user',
        text: 'Look.\n\nAttached files:\n- attachments/a.pdf (application/pdf, 33 bytes): read it with the tool read_pdf',
      },
      { role: 'assistant', text: 'Yes.', calls: [] },
    ])
    expect(read).toEqual([])
  })

  test('that a call made is shown after its results, as no message of the operator', async () => {
    const { path, sha256, bytes } = attached('page.png', pngOf(3, 3))
    const results = [{ callId: 'c', name: 'browser_screenshot', text: 'Saved.', isError: false }]
    const past: PastMessage[] = [{ role: 'tool', results, pictures: [{ path, sha256, bytes }] }]
    const { messages, shown } = await show(past)
    expect(messages).toEqual([
      { role: 'tool', results },
      {
        role: 'user',
        text: '[This is no message of the operator. The calls above made these pictures: attachments/page.png]',
        images: [{ mediaType: 'image/png', base64: expect.any(String) }],
      },
    ])
    expect(shown).toEqual([path])
    expect((await show(past, false)).messages).toEqual([{ role: 'tool', results }])
  })
})
