/** Owns the cases about files that come and go. */
import type { InboundFile } from '../../frame/events.ts'
import type { Case } from './case.ts'
import { expect } from './expect.ts'
import type { Scene } from './scene.ts'

export function files(test: Case): void {
  coming(test)
  going(test)
}

/** Every byte there is, and no text. */
function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) % 256)
}

const large = 1_000_000

async function brought(
  s: Scene,
  file: { readonly name: string; readonly bytes: Uint8Array; readonly voice?: boolean },
  text = s.word(),
): Promise<InboundFile> {
  const { event } = await s.says(s.ana, s.chats.ana, text, { file })
  const [first, ...more] = event.files
  if (!first || more.length > 0) throw new Error(`It came with ${event.files.length} files.`)
  return first
}

function coming(test: Case): void {
  test(['files-in'], 'brings a file byte for byte', async (s) => {
    const bytes = bytesOf(70_000)
    const file = await brought(s, { name: 'report.bin', bytes })
    expect(file.name).toBe('report.bin')
    expect([null, bytes.byteLength]).toContain(file.bytes)
    const got = await s.gateway.fetch(file.ref, large)
    expect(got.kind === 'fetched' && Buffer.from(got.bytes).equals(bytes)).toBe(true)
  })

  test(['files-in'], 'brings the words that came with a file', async (s) => {
    const text = `${s.word()} look at this`
    const { event } = await s.says(s.ana, s.chats.ana, text, { file: { name: 'a.txt', bytes: bytesOf(10) } })
    expect(event.text).toBe(text)
    expect(event.files.length).toBe(1)
  })

  test(['files-in'], 'brings a file without a word', async (s) => {
    const file = await brought(s, { name: 'a.bin', bytes: bytesOf(10) }, '')
    expect((await s.gateway.fetch(file.ref, large)).kind).toBe('fetched')
  })

  test(['files-in'], 'brings exactly as much as is allowed, and no byte more', async (s) => {
    const file = await brought(s, { name: 'a.bin', bytes: bytesOf(5_000) })
    expect((await s.gateway.fetch(file.ref, 5_000)).kind).toBe('fetched')
    expect((await s.gateway.fetch(file.ref, 4_999)).kind).toBe('failed')
    expect((await s.gateway.fetch(file.ref, 0)).kind).toBe('failed')
  })

  test(['files-in'], 'fetches only what came with a message', async (s) => {
    const { ref } = await brought(s, { name: 'a.bin', bytes: bytesOf(10) })
    const refs = ['x', 'no such file', '/etc/passwd', '../../../etc/passwd', 'file:///etc/passwd', `${ref}x`]
    for (const wrong of [...refs, 'http://127.0.0.1:1/', '{"url":"http://127.0.0.1:1/"}', '\r\n\r\n'])
      expect((await s.gateway.fetch(wrong, large)).kind).toBe('failed')
    expect((await s.gateway.fetch(ref, large)).kind).toBe('fetched')
  })

  test(['files-in'], 'tells two files apart', async (s) => {
    const one = await brought(s, { name: 'one.bin', bytes: bytesOf(11) })
    const two = await brought(s, { name: 'two.bin', bytes: bytesOf(22) })
    const sizes = []
    for (const { ref } of [two, one]) {
      const got = await s.gateway.fetch(ref, large)
      sizes.push(got.kind === 'fetched' ? got.bytes.byteLength : got.problem)
    }
    expect(sizes).toEqual([22, 11])
  })

  for (const name of ['../../etc/passwd', 'a\r\nb\u0000c\u202Egnp.exe', 'x'.repeat(2_000), ''])
    test(['files-in'], `lives on after a file called ${JSON.stringify(name.slice(0, 20))}`, async (s) => {
      // The platform may not take such a name.
      await s.platform
        .says(s.ana, s.chats.ana, s.word(), { file: { name, bytes: bytesOf(10) } })
        .catch((problem: unknown) => problem)
      await s.stillHears()
    })

  test(['voice'], 'tells a voice note from another file', async (s) => {
    const note = await brought(s, { name: 'note.ogg', bytes: bytesOf(500), voice: true })
    const song = await brought(s, { name: 'song.ogg', bytes: bytesOf(500) })
    expect([note.voice, song.voice]).toEqual([true, false])
    const got = await s.gateway.fetch(note.ref, large)
    expect(got.kind === 'fetched' && Buffer.from(got.bytes).equals(bytesOf(500))).toBe(true)
  })

  test(['files-in'], 'fetches after a restart what came before it', async (s) => {
    const { ref } = await brought(s, { name: 'a.bin', bytes: bytesOf(77) })
    await s.restart()
    const got = await s.gateway.fetch(ref, large)
    expect(got.kind === 'fetched' && got.bytes.byteLength).toBe(77)
  })
}

function going(test: Case): void {
  test(['files', 'send'], 'sends a file byte for byte', async (s) => {
    const bytes = bytesOf(60_000)
    const file = { name: 'report.bin', mediaType: 'application/octet-stream', bytes }
    const { shown } = await s.sends(s.chats.ana, s.word(), { file })
    const got = shown.find((one) => one.file)?.file
    expect(got?.name).toBe('report.bin')
    expect(got && Buffer.from(got.bytes).equals(bytes)).toBe(true)
  })

  test(['files', 'send'], 'sends a file with words and without', async (s) => {
    const file = { name: 'a.txt', mediaType: 'text/plain', bytes: bytesOf(10) }
    const word = s.word()
    expect((await s.sends(s.chats.ana, word, { file })).text).toContain(word)
    expect((await s.sends(s.chats.ana, '', { file })).shown.some((one) => one.file)).toBe(true)
  })

  test(['files', 'send'], 'lives on after a file with a hostile name and kind', async (s) => {
    for (const name of [
      '../x',
      'a"\r\nX: y\r\n\r\nb.html',
      '\u202Egnp.exe',
      '\u0000',
      'ž漢😀.txt',
      'x'.repeat(255),
    ]) {
      const file = { name, mediaType: 'text/html\r\nX: y', bytes: bytesOf(10) }
      const result = await s.gateway.send(s.message(s.chats.ana, s.word(), { file }))
      expect(result.kind).toMatch(/^(sent|refused)$/)
    }
    await s.stillSends()
  })
}
