/**
 * Owns what the first bytes of a picture say: its kind and its size in pixels. Nothing is decoded, and every step is
 * bounded. Refuses what it does not know, and a header that ends too early. Pure.
 */
import type { PictureType } from '@countersign/contract'

export interface PictureHeader {
  readonly type: PictureType
  readonly width: number
  readonly height: number
}

/** More parts before the size than any camera writes. */
const mostSegments = 500

export function readPictureHeader(bytes: Uint8Array): PictureHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = readers.reduce<PictureHeader | undefined>((found, read) => found ?? read(view), undefined)
  return header && header.width > 0 && header.height > 0 ? header : undefined
}

const readers: readonly ((view: DataView) => PictureHeader | undefined)[] = [
  readPng,
  readJpeg,
  readGif,
  readWebp,
]

function readPng(view: DataView): PictureHeader | undefined {
  if (!begins(view, 0, '\x89PNG\r\n\x1a\n') || view.byteLength < 33) return undefined
  if (view.getUint32(8) !== 13 || !begins(view, 12, 'IHDR')) return undefined
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

/** The size stands in the first frame header, after parts that each tell their length. */
function readJpeg(view: DataView): PictureHeader | undefined {
  if (!begins(view, 0, '\xff\xd8\xff')) return undefined
  for (let at = 2, segments = 0; segments < mostSegments; segments += 1) {
    while (at < view.byteLength && view.getUint8(at) === 0xff) at += 1
    if (at + 8 > view.byteLength) return undefined
    const marker = view.getUint8(at)
    if (isFrame(marker))
      return { type: 'image/jpeg', width: view.getUint16(at + 6), height: view.getUint16(at + 4) }
    const length = view.getUint16(at + 1)
    // What follows the beginning of the scan is the picture itself.
    if (marker === 0xda || length < 2) return undefined
    at += 1 + length
    if (at >= view.byteLength || view.getUint8(at) !== 0xff) return undefined
  }
  return undefined
}

/** From SOF0 to SOF15, but for tables that stand among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function readGif(view: DataView): PictureHeader | undefined {
  const isGif = begins(view, 0, 'GIF87a') || begins(view, 0, 'GIF89a')
  if (!isGif || view.byteLength < 13) return undefined
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

function readWebp(view: DataView): PictureHeader | undefined {
  if (!begins(view, 0, 'RIFF') || !begins(view, 8, 'WEBP') || view.byteLength < 30) return undefined
  const type = 'image/webp'
  if (begins(view, 12, 'VP8X')) return { type, width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
  if (begins(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true)
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (begins(view, 12, 'VP8 ') && begins(view, 23, '\x9d\x01\x2a'))
    return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  return undefined
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_0000
}

function begins(view: DataView, at: number, letters: string): boolean {
  if (at + letters.length > view.byteLength) return false
  return Buffer.from(letters, 'latin1').every((byte, place) => view.getUint8(at + place) === byte)
}
