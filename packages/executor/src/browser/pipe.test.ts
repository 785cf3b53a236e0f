import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createPipe } from './pipe.ts'

function open(mostBytes: number): {
  to: PassThrough
  from: PassThrough
  heard: object[]
  ends: string[]
  send: (message: object) => void
} {
  const [to, from] = [new PassThrough(), new PassThrough()]
  const heard: object[] = []
  const ends: string[] = []
  const pipe = createPipe({ toBrowser: to, fromBrowser: from }, mostBytes, () => ends.push('flooded'))
  pipe.onmessage = (message) => heard.push(message)
  pipe.onclose = () => ends.push('closed')
  return { to, from, heard, ends, send: (message) => pipe.send(message) }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20))

describe('the pipes of the browser', () => {
  it('carry messages in both directions, however they are cut', async () => {
    const pipe = open(100)
    pipe.send({ id: 1 })
    expect(String(pipe.to.read())).toBe('{"id":1}\0')
    const bytes = Buffer.from('{"a":"ü"}\0{"b":1}\0{"c"')
    for (const byte of bytes) pipe.from.write(Buffer.from([byte]))
    pipe.from.write(':2}\0{}\0')
    await soon()
    expect(pipe.heard).toEqual([{ a: 'ü' }, { b: 1 }, { c: 2 }, {}])
  })

  it('take a message of the largest size and close at one byte more, whole or in parts', async () => {
    const fits = open(12)
    fits.from.write('{"a":"1234"}\0{"a":"1234"}\0')
    await soon()
    expect([fits.heard.length, fits.ends]).toEqual([2, []])
    for (const parts of [['{"a":"12345"}\0{}\0'], ['{"a":"12', '345"}'], ['{}\0{"a":"', '1234567890']]) {
      const flooded = open(12)
      for (const part of parts) flooded.from.write(part)
      await soon()
      expect(flooded.ends).toEqual(['flooded', 'closed'])
      expect(flooded.heard.every((message) => Object.keys(message).length === 0)).toBe(true)
    }
  })

  it('close once when the browser goes', async () => {
    const pipe = open(100)
    pipe.from.destroy()
    await soon()
    expect(pipe.ends).toEqual(['closed'])
    pipe.send({ id: 1 })
  })
})
