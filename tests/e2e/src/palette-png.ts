/** Writes a PNG anew with at most 256 colours, which is enough for a page of text and a third of the bytes. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const mostColours = 256

interface Picture {
  readonly width: number
  readonly height: number
  /** Three bytes for each pixel. */
  readonly pixels: Buffer
}

export function withPalette(png: Buffer): Buffer {
  const picture = decoded(png)
  const { palette, indexes } = reduced(picture)
  const rows = Buffer.alloc((picture.width + 1) * picture.height)
  for (let row = 0; row < picture.height; row += 1)
    indexes.copy(rows, row * (picture.width + 1) + 1, row * picture.width, (row + 1) * picture.width)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(picture.width, 0)
  header.writeUInt32BE(picture.height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Eight bits a channel, without or with alpha, as a browser writes it. */
function decoded(png: Buffer): Picture {
  const data: Buffer[] = []
  let [width, height, channels] = [0, 0, 0]
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      width = body.readUInt32BE(0)
      height = body.readUInt32BE(4)
      channels = body[9] === 6 ? 4 : 3
      if (body[8] !== 8 || (body[9] !== 2 && body[9] !== 6)) throw new Error('It is another kind of PNG.')
    } else if (type === 'IDAT') data.push(body)
    at += length + 12
  }
  const raw = inflateSync(Buffer.concat(data))
  const stride = width * channels
  const pixels = Buffer.alloc(width * height * 3)
  let above = Buffer.alloc(stride)
  for (let row = 0; row < height; row += 1) {
    const start = row * (stride + 1)
    const line = Buffer.from(raw.subarray(start + 1, start + 1 + stride))
    unfilter(line, above, raw[start] ?? 0, channels)
    for (let column = 0; column < width; column += 1)
      line.copy(pixels, (row * width + column) * 3, column * channels, column * channels + 3)
    above = line
  }
  return { width, height, pixels }
}

function unfilter(line: Buffer, above: Buffer, filter: number, channels: number): void {
  for (let at = 0; at < line.length; at += 1) {
    const left = at < channels ? 0 : (line[at - channels] ?? 0)
    const up = above[at] ?? 0
    const corner = at < channels ? 0 : (above[at - channels] ?? 0)
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
    line[at] = ((line[at] ?? 0) + guess) & 0xff
  }
}

function paeth(left: number, up: number, corner: number): number {
  const near = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(near - left), Math.abs(near - up), Math.abs(near - corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** The colours that are there most often stay exactly as they are; each other becomes the nearest of them. */
function reduced({ pixels }: Picture): { readonly palette: Buffer; readonly indexes: Buffer } {
  const counts = new Map<number, number>()
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const kept = spread([...counts].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour))
  const palette = Buffer.alloc(kept.length * 3)
  for (const [place, colour] of kept.entries()) palette.writeUIntBE(colour, place * 3, 3)
  const known = new Map(kept.map((colour, place) => [colour, place]))
  const indexes = Buffer.alloc(pixels.length / 3)
  for (let at = 0; at < indexes.length; at += 1) {
    const colour = pixels.readUIntBE(at * 3, 3)
    let place = known.get(colour)
    if (place === undefined) {
      place = nearest(colour, kept)
      known.set(colour, place)
    }
    indexes[at] = place
  }
  return { palette, indexes }
}

/** The most frequent first, and none that is hardly another than one before it. */
function spread(colours: readonly number[]): readonly number[] {
  const kept: number[] = []
  for (const least of [120, 0])
    for (const colour of colours) {
      if (kept.length === mostColours) return kept
      if (kept.every((other) => distance(colour, other) > least)) kept.push(colour)
    }
  return kept
}

function nearest(colour: number, palette: readonly number[]): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (const [place, other] of palette.entries()) {
    const far = distance(colour, other)
    if (far < least) [best, least] = [place, far]
  }
  return best
}

function distance(a: number, b: number): number {
  const red = (a >> 16) - (b >> 16)
  const green = ((a >> 8) & 0xff) - ((b >> 8) & 0xff)
  const blue = (a & 0xff) - (b & 0xff)
  return red * red + green * green + blue * blue
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(body.length, 0)
  typed.copy(framed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}
