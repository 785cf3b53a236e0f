/** Makes the first bytes of pictures, as small as they can be. */

/** With the size that it claims; nothing of it is there. */
export function pngOf(width: number, height: number, rest = ''): Uint8Array {
  const bytes = Buffer.alloc(33)
  bytes.write('\x89PNG\r\n\x1a\n', 0, 'latin1')
  bytes.writeUInt32BE(13, 8)
  bytes.write('IHDR', 12, 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return Buffer.concat([bytes, Buffer.from(rest)])
}

/** With other parts before the frame, as a camera writes them. */
export function jpegOf(width: number, height: number, before: readonly Buffer[] = []): Uint8Array {
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, 0, 0, 0, 0, 1, 1])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...before, frame, Buffer.alloc(2)])
}

export function jpegPart(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
