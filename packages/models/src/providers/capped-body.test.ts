import { expect, it } from 'vitest'
import { cappedBytes, cappedText } from './capped-body.ts'

it('reads a body of exactly the most bytes, and none of one byte more', async () => {
  expect(await cappedText(new Response('12345'), 5)).toBe('12345')
  expect(await cappedText(new Response('123456'), 5)).toBeUndefined()
  expect(await cappedText(new Response(null), 5)).toBe('')
  expect(await cappedBytes(new Response('ä'), 2)).toEqual(Buffer.from('ä'))
  expect(await cappedBytes(new Response('ä'), 1)).toBeUndefined()
})

it('puts a character together that came in two pieces', async () => {
  const [first, ...rest] = Buffer.from('ä')
  const body = ReadableStream.from([Uint8Array.of(first ?? 0), Uint8Array.from(rest)])
  expect(await cappedText(new Response(body), 10)).toBe('ä')
})

it('stops reading a body that does not end', async () => {
  let sent = 0
  let left = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1_000
      controller.enqueue(new Uint8Array(1_000))
    },
    cancel: () => {
      left = true
    },
  })
  expect(await cappedText(new Response(endless), 10_000)).toBeUndefined()
  expect(sent).toBeLessThan(20_000)
  expect(left).toBe(true)
})
