/** Owns damage: bytes that are changed by chance, and values that no honest client sends. */
import { Buffer } from 'node:buffer'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'

/** One to three changes of the bytes, anywhere. */
export function damaged(bytes: Buffer, random: Random): Buffer {
  let left = 1 + random.below(3)
  let changed: Buffer = bytes
  while (left > 0) {
    changed = damagedOnce(changed, random)
    left -= 1
  }
  return changed
}

function damagedOnce(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  const length = Math.min(bytes.length - at, 1 + random.below(12))
  const [before, piece, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, at + length),
    bytes.subarray(at + length),
  ]
  switch (random.below(7)) {
    case 0:
      return Buffer.concat([before, after])
    case 1:
      return Buffer.concat([before, piece, piece, after])
    case 2:
      return Buffer.concat([before, Buffer.from([random.below(256)]), piece, after])
    case 3:
      return Buffer.concat([before, Buffer.from(piece.map(() => random.below(256))), after])
    case 4:
      return before
    case 5:
      return Buffer.concat([before, Buffer.from(random.pick(odd)), piece, after])
    default:
      return Buffer.concat([
        before,
        Buffer.alloc(random.below(300), random.pick([0, 10, 13, 32, 47, 255])),
        after,
      ])
  }
}

const odd = [
  '\r\n',
  '\r\n\r\n',
  '\0',
  '%',
  '%00',
  '../',
  '//',
  '\\',
  '"',
  '}',
  '[',
  '\u202e',
  '\ufeff',
  'é',
  '-1',
  '1e999',
]

/** A value of any shape, some of which readers stumble over. */
export function oddValue(random: Random, depth = 0): unknown {
  switch (random.below(depth > 4 ? 6 : 9)) {
    case 0:
      return null
    case 1:
      return random.pick([true, false])
    case 2:
      return random.pick([0, -0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e308, 5e-324])
    case 3:
      return random.pick([
        '',
        ' ',
        '\0',
        '\ud800',
        '__proto__',
        '{{secret:x}}',
        '../../etc/passwd',
        '🙂'.repeat(50),
      ])
    case 4:
      return random.pick(words)
    case 5:
      return 'x'.repeat(random.below(2_000))
    case 6:
      return Array.from({ length: random.below(6) }, () => oddValue(random, depth + 1))
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(6) }, () => [random.pick(words), oddValue(random, depth + 1)]),
      )
  }
}

const words = [
  'type',
  'id',
  'key',
  'text',
  'session',
  'mode',
  'hello',
  'message',
  'device',
  'signature',
  'since',
  'calls',
  'tool',
  'args',
  'permits',
  'subject',
  'seal',
  'nonces',
  'policy',
  'epoch',
  'execute',
  'resolve',
  'cancel',
  'world',
  'name',
  'title',
  'content',
  'url',
  'verdict',
  'digest',
  'by',
  'constructor',
  '__proto__',
  'toString',
  'length',
]
