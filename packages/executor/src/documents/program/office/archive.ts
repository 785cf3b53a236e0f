/**
 * Owns the ZIP archive that an office document is. Unpacks the parts that are asked for by name, in memory, up to a bound
 * in all; writes nothing, so that where a name would lead means nothing. What an archive says of its sizes is not believed.
 */
import { Buffer } from 'node:buffer'
import { crc32, inflateRawSync } from 'node:zlib'
import { Refusal } from '../serve.ts'

export const archiveLimits = { entries: 10_000, partBytes: 64_000_000, unpackedBytes: 100_000_000 } as const

export interface Archive {
  readonly names: readonly string[]
  /** The unpacked part; nothing where there is none of that name. */
  part(name: string): Buffer | undefined
}

interface Entry {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly start: number
}

export function openArchive(bytes: Buffer): Archive {
  const entries = new Map<string, Entry>()
  for (const entry of directoryOf(bytes)) {
    const key = keyOf(entry.name)
    // Who reads the first and who reads the last would see two documents.
    if (entries.has(key)) throw new Refusal(`It is damaged: it holds ${entry.name.slice(0, 100)} twice.`)
    entries.set(key, entry)
  }
  let left: number = archiveLimits.unpackedBytes
  return {
    names: [...entries.values()].map(({ name }) => name),
    part(name) {
      const entry = entries.get(keyOf(name))
      if (!entry) return undefined
      const unpacked = unpack(bytes, entry, Math.min(left, archiveLimits.partBytes))
      left -= unpacked.length
      return unpacked
    },
  }
}

const keyOf = (name: string) => name.replace(/^\/+/, '').toLowerCase()

const directoryEnd = 0x06054b50
const directoryEntry = 0x02014b50
const localEntry = 0x04034b50

function directoryOf(bytes: Buffer): Entry[] {
  const end = endOf(bytes)
  const count = bytes.readUInt16LE(end + 10)
  if (count > archiveLimits.entries)
    throw new Refusal(`It holds ${count} parts; at most ${archiveLimits.entries} are looked at.`)
  const found: Entry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let each = 0; each < count; each += 1) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== directoryEntry)
      throw new Refusal('It is damaged: its list of parts is cut.')
    const nameLength = bytes.readUInt16LE(at + 28)
    if ((bytes.readUInt16LE(at + 8) & 1) === 1) throw new Refusal(passwordText)
    found.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      start: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return found
}

export const passwordText = 'It is protected by a password. Save a copy without one, and read that.'

/** After it comes a comment of at most 65,535 bytes. */
function endOf(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 65_557); at -= 1)
    if (bytes.readUInt32LE(at) === directoryEnd) return at
  throw new Refusal('It is damaged: its end is missing.')
}

function unpack(bytes: Buffer, { name, method, crc, packed, start }: Entry, most: number): Buffer {
  const told = name.slice(0, 100)
  if (start + 30 > bytes.length || bytes.readUInt32LE(start) !== localEntry)
    throw new Refusal(`It is damaged: ${told} is not where it should be.`)
  const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
  const content = bytes.subarray(from, from + packed)
  const unpacked = method === 0 ? content : method === 8 ? inflated(content, told, most) : undefined
  if (unpacked === undefined) throw new Refusal(`It is damaged: nobody knows how ${told} is packed.`)
  if (unpacked.length > most) throw new Refusal(tooLarge(told))
  if (crc32(unpacked) !== crc) throw new Refusal(`It is damaged: ${told} does not have its checksum.`)
  return unpacked
}

function inflated(content: Buffer, name: string, most: number): Buffer {
  try {
    return inflateRawSync(content, { maxOutputLength: Math.max(most, 1) })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new Refusal(tooLarge(name))
    throw new Refusal(`It is damaged: ${name} cannot be unpacked.`)
  }
}

const tooLarge = (name: string) =>
  `It is too large inside: ${name} grows beyond ${archiveLimits.unpackedBytes / 1_000_000} MB in all.`
