/** Pictures by hand. */
import { Buffer } from 'node:buffer'
import { crc32, deflateSync } from 'node:zlib'

/** One colour, eight bits of grey for each pixel. The head may say another size than there is. */
export function greyPng(
  width: number,
  height: number,
  {
    says = { width, height },
    data = deflateSync(Buffer.alloc((width + 1) * height)),
  }: { says?: { width: number; height: number }; data?: Uint8Array } = {},
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(says.width, 0)
  head.writeUInt32BE(says.height, 4)
  head.writeUInt8(8, 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
