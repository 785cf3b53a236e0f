import { expect, test } from 'vitest'
import { guardedFetch } from './body.ts'
import { replyLimits } from './limits.ts'

const answering = (...chunks: Uint8Array<ArrayBuffer>[]) =>
  guardedFetch(() => {
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    return Promise.resolve(new Response(body, { status: 200, headers: { 'x-a': 'b' } }))
  }, 'openai')

const bytes = (text: string) => new TextEncoder().encode(text)

test('passes text on, also when a character is split between two chunks', async () => {
  const whole = bytes('data: é\n')
  const response = await answering(whole.slice(0, 7), whole.slice(7))('http://127.0.0.1')
  expect(response.headers.get('x-a')).toBe('b')
  expect(await response.text()).toBe('data: é\n')
})

test('refuses bytes that are no text', async () => {
  const response = await answering(bytes('data: '), Uint8Array.of(0xff))('http://127.0.0.1')
  await expect(response.text()).rejects.toMatchObject({ failure: { kind: 'unknown' } })
})

test('refuses a line without an end, and takes as much in lines', async () => {
  const piece = bytes('a'.repeat(replyLimits.lineBytes / 4))
  const lines = piece.map((byte, index) => (index === 0 ? 10 : byte))
  const endless = await answering(piece, piece, piece, piece, piece)('http://127.0.0.1')
  await expect(endless.arrayBuffer()).rejects.toMatchObject({ failure: { kind: 'invalid' } })
  const split = await answering(lines, lines, lines, lines, lines)('http://127.0.0.1')
  expect((await split.arrayBuffer()).byteLength).toBe(5 * piece.length)
})
