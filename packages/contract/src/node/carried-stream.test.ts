import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type CarriedSide, carriedStream } from './carried-stream.ts'

function joined() {
  const under = { way: 0, most: 0 }
  const sides: { near?: CarriedSide; far?: CarriedSide } = {}
  const towards = (side: 'near' | 'far') => ({
    give(piece: string) {
      under.way += 1
      under.most = Math.max(under.most, under.way)
      setImmediate(() => sides[side]?.given(piece))
    },
    take() {
      under.way -= 1
      setImmediate(() => sides[side]?.taken())
    },
  })
  const near = carriedStream(towards('far'))
  const far = carriedStream(towards('near'))
  sides.near = near
  sides.far = far
  return { near, far, under }
}

describe('a stream that is carried in messages', () => {
  it('comes as it was written, in pieces of which one is under way', async () => {
    const { near, far, under } = joined()
    const words = Array.from({ length: 50 }, (_, n) => `${n} ${'ä'.repeat(n * 1_000)}\n`).join('')
    near.stream.write(words, () => far.end())
    const heard: Buffer[] = []
    far.stream.on('data', (piece: Buffer) => heard.push(piece))
    await new Promise((resolve) => far.stream.once('close', resolve))
    expect(Buffer.concat(heard).toString()).toBe(words)
    expect(under.most).toBe(1)
  })

  it('waits for whoever does not read, and says nothing more', async () => {
    const { near, far, under } = joined()
    for (let n = 0; n < 20; n += 1) near.stream.write('x'.repeat(100_000))
    await new Promise((resolve) => setTimeout(resolve, 20))
    // One is held there, one is on its way.
    expect(far.stream.readableLength).toBeLessThanOrEqual(200_000)
    expect(under.way).toBe(1)
    expect(near.stream.writableLength).toBeGreaterThan(1_500_000)
    near.end()
    far.end()
    expect(await text(far.stream).catch(() => 'over')).toBe('over')
  })

  it('ends where more comes than was asked for', async () => {
    const { far } = joined()
    const piece = Buffer.from('x'.repeat(100_000)).toString('base64')
    far.given(piece)
    far.given(piece)
    far.given(piece)
    expect(far.stream.destroyed).toBe(true)
  })
})
