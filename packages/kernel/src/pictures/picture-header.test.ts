import { describe, expect, test } from 'vitest'
import { readPictureHeader } from './picture-header.ts'
import { jpegOf, jpegPart, pngOf } from './testing.ts'

function webpOf(kind: string, put: (bytes: Buffer) => void): Uint8Array {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF', 0, 'latin1')
  bytes.write('WEBP', 8, 'latin1')
  bytes.write(kind, 12, 'latin1')
  put(bytes)
  return bytes
}

const gif = Buffer.from('GIF89a\x40\x01\xf0\x00\x00\x00\x00', 'latin1')
const lossy = webpOf('VP8 ', (bytes) => {
  bytes.write('\x9d\x01\x2a', 23, 'latin1')
  bytes.writeUInt16LE(320, 26)
  bytes.writeUInt16LE(240, 28)
})
const lossless = webpOf('VP8L', (bytes) => {
  bytes[20] = 0x2f
  bytes.writeUInt32LE(319 | (239 << 14), 21)
})
const extended = webpOf('VP8X', (bytes) => {
  bytes.writeUIntLE(319, 24, 3)
  bytes.writeUIntLE(239, 27, 3)
})

describe('the header of a picture', () => {
  test.each([
    ['image/png', pngOf(320, 240)],
    ['image/jpeg', jpegOf(320, 240)],
    ['image/jpeg', jpegOf(320, 240, [jpegPart(0xe1, Buffer.alloc(60_000)), jpegPart(0xc4, Buffer.alloc(9))])],
    ['image/gif', gif],
    ['image/webp', lossy],
    ['image/webp', lossless],
    ['image/webp', extended],
  ])('tells the kind and the size of %s', (type, bytes) => {
    expect(readPictureHeader(bytes)).toEqual({ type, width: 320, height: 240 })
  })

  test.each([
    ['PNG', pngOf(1, 1)],
    ['JPEG', jpegOf(1, 1)],
    ['GIF', gif],
    ['WebP', lossless],
  ])('is nothing where a %s ends before it', (_, bytes) => {
    for (let length = 0; length < Math.min(bytes.length, 9); length += 1)
      expect(readPictureHeader(bytes.subarray(0, length))).toBeUndefined()
  })

  test('is nothing for what only has the name or a part of it', () => {
    expect(readPictureHeader(Buffer.from('<svg onload="x"/>'))).toBeUndefined()
    expect(readPictureHeader(Buffer.from('<html>'))).toBeUndefined()
    expect(readPictureHeader(pngOf(0, 5))).toBeUndefined()
    const unknown = Buffer.from(pngOf(5, 5))
    unknown.write('IDAT', 12, 'latin1')
    expect(readPictureHeader(unknown)).toBeUndefined()
    expect(readPictureHeader(webpOf('ANIM', () => undefined))).toBeUndefined()
  })

  test('is not looked for without an end in a JPEG that leads on and on', () => {
    const parts = Array.from({ length: 1_000 }, () => jpegPart(0xe0, Buffer.alloc(0)))
    expect(readPictureHeader(jpegOf(320, 240, parts))).toBeUndefined()
    expect(readPictureHeader(Buffer.alloc(100_000, 0xff))).toBeUndefined()
    // A part that leads to itself, and one that leads past the end.
    expect(readPictureHeader(jpegOf(320, 240, [Buffer.from([0xff, 0xe0, 0, 0])]))).toBeUndefined()
    expect(readPictureHeader(jpegOf(320, 240, [Buffer.from([0xff, 0xe0, 0xff, 0xff])]))).toBeUndefined()
    // A size that stands in the picture data is none.
    expect(readPictureHeader(jpegOf(320, 240, [jpegPart(0xda, Buffer.alloc(4))]))).toBeUndefined()
  })
})
