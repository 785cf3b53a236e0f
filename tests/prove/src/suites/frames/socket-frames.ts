/** Makes frames of the WebSocket that are wrong in one way or another, as the bytes that go over the wire. */
import { Buffer } from 'node:buffer'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { damaged, oddValue } from './damage.ts'

export function handshake(random: Random, port: number): Buffer {
  const lines = [
    `GET ${random.below(10) === 0 ? random.pick(['//', '/v1/socket/', 'http://[', '*', '/v1/socket?%']) : '/v1/socket?nonce=aaaaaaaaaaaaaaaaaaaaaaaa&address=x'} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  ]
  const whole = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  return random.below(5) === 0 ? damaged(whole, random) : whole
}

export function socketFrame(random: Random): Buffer {
  const payload = payloadFor(random)
  const opcode = random.below(5) === 0 ? random.below(16) : 1
  const frame = masked(payload, opcode)
  return random.below(3) === 0 ? damaged(frame, random) : frame
}

function payloadFor(random: Random): Buffer {
  const frame =
    random.below(2) === 0
      ? oddValue(random)
      : random.pick([
          { type: 'message', key: crypto.randomUUID(), session: null, text: 'hello', mode: 'auto' },
          { type: 'hello', device: 'dev_1', signature: 'AAAA', since: 0 },
          { type: 'event' },
          { type: 'ping' },
        ])
  const text = Buffer.from(JSON.stringify(frame) ?? 'undefined')
  return random.below(3) === 0 ? damaged(text, random) : text
}

/** A frame as a client sends it; the mask is of zeros, so that the payload can be read in it. */
export function masked(payload: Buffer, opcode: number): Buffer {
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | payload.length])
      : Buffer.from([0x80 | opcode, 0x80 | 126, payload.length >> 8, payload.length & 255])
  return Buffer.concat([head, Buffer.alloc(4), payload])
}
