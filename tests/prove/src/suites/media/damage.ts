/** Owns how an honest file is damaged: cut, flipped, written over, doubled, mixed with another, its numbers made huge. */
import { Buffer } from 'node:buffer'
import { openArchive } from '../../../../../packages/executor/src/documents/program/office/archive.ts'
import { zipOf } from '../../../../../packages/executor/src/documents/testing/office-file.ts'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'

type Damage = (bytes: Buffer, random: Random, other: Buffer) => Buffer

const damages: Readonly<Record<string, Damage>> = {
  cut: (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  'beginning lost': (bytes, random) => bytes.subarray(random.below(Math.min(bytes.length, 200))),
  'bits flipped': (bytes, random) => {
    const count = 1 + random.below(40)
    for (let each = 0; each < count; each += 1) flip(bytes, random)
    return bytes
  },
  'bits of the head flipped': (bytes, random) => {
    flip(bytes.subarray(0, 64), random)
    return bytes
  },
  'written over': (bytes, random) => {
    const start = random.below(bytes.length)
    const end = Math.min(bytes.length, start + 1 + random.below(200))
    for (let at = start; at < end; at += 1) bytes[at] = random.below(256)
    return bytes
  },
  doubled: (bytes, random) => {
    const at = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes, bytes.subarray(at)])
  },
  'huge numbers': (bytes, random) => {
    for (let each = 0; each < 3 && bytes.length > 12; each += 1)
      bytes.writeUInt32BE(0x7fffffff + random.below(2) * 0x80000000, random.below(bytes.length - 4))
    return bytes
  },
  'huge figures': (bytes, random) => {
    const text = bytes.toString('latin1')
    const figures = [...text.matchAll(/\d+/g)]
    const { index = 0, 0: figure = '' } = figures[random.below(Math.max(figures.length, 1))] ?? {}
    const huge = random.pick(['99999999999', '-1', '2147483647', '1e308', '0'])
    return Buffer.from(text.slice(0, index) + huge + text.slice(index + figure.length), 'latin1')
  },
  'two in one': (bytes, random, other) =>
    random.below(2) === 0 ? Buffer.concat([bytes, other]) : Buffer.concat([other.subarray(0, 900), bytes]),
  'the end of another': (bytes, random, other) =>
    Buffer.concat([
      bytes.subarray(0, random.below(bytes.length)),
      other.subarray(random.below(other.length)),
    ]),
}

export function damaged(bytes: Buffer, random: Random, other: Buffer): { name: string; bytes: Buffer } {
  const name = random.pick(Object.keys(damages))
  return { name, bytes: damages[name]?.(Buffer.from(bytes), random, other) ?? bytes }
}

/** Damages a part of an archive and packs it anew, so that the damage is not noticed before the part is read. */
export function damagedInside(bytes: Buffer, random: Random, other: Buffer): { name: string; bytes: Buffer } {
  const archive = openArchive(bytes)
  const chosen = random.pick(archive.names)
  const { name, bytes: part } = damaged(archive.part(chosen) ?? Buffer.alloc(1), random, other)
  const parts = archive.names.map((each) => ({
    name: each,
    content: each === chosen ? part : (archive.part(each) ?? ''),
  }))
  return { name: `${name} inside`, bytes: zipOf(parts) }
}

function flip(bytes: Buffer, random: Random): void {
  if (bytes.length === 0) return
  const at = random.below(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
}
