/**
 * Reads a `.zip` in memory. Writes nothing. Refuses links, encrypted files, names that are there twice or differ between the
 * list and the file, content that two entries share, and whatever is larger than its bounds, before it is unpacked.
 */
import { crc32, inflateRawSync } from 'node:zlib'
import type { TreeLimits, TreeRefusal } from '../file-tree.ts'
import type { ReadArchive, SkillFile } from './file-set.ts'

const endSize = 22
const listedSize = 46
const localSize = 30

export function unzip(packed: Uint8Array, limits: TreeLimits): ReadArchive {
  const archive = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const list = entriesIn(archive, limits)
  if (!Array.isArray(list)) return list
  const files = new Map<string, SkillFile>()
  let left = limits.bytes
  let before = 0
  // By their places, so that no two can share what is packed: that is how a small archive becomes a large one.
  for (const entry of list.toSorted((one, other) => one.at - other.at)) {
    if (entry.at < before) return refused('Two files in it share their content.')
    const found = contentOf(archive, entry, Math.min(left, limits.fileBytes))
    if ('kind' in found) return found
    before = found.end
    left -= found.bytes.length
    if (entry.name.endsWith('/')) {
      if (found.bytes.length > 0) return refused(`It says that the folder ${shown(entry.name)} has content.`)
      continue
    }
    if (files.has(entry.name)) return refused(`It has ${shown(entry.name)} twice.`)
    files.set(entry.name, { bytes: found.bytes, executable: entry.executable })
  }
  return { kind: 'read', files }
}

interface Entry {
  readonly name: string
  readonly written: Buffer
  readonly flags: number
  readonly method: number
  readonly sum: number
  readonly packed: number
  readonly size: number
  /** Where its own header is. */
  readonly at: number
  readonly executable: boolean
}

function entriesIn(archive: Buffer, limits: TreeLimits): Entry[] | TreeRefusal {
  const end = endOf(archive)
  if (end === undefined) return refused('It is no whole archive, or has more than one end.')
  const count = archive.readUInt16LE(end + 10)
  const bytes = archive.readUInt32LE(end + 12)
  let at = archive.readUInt32LE(end + 16)
  if (archive.readUInt32LE(end + 4) !== 0 || archive.readUInt16LE(end + 8) !== count)
    return refused('It is a part of an archive.')
  if (at + bytes !== end) return refused('Its list is not where it says.')
  // Folders are listed too.
  if (count > limits.files * 2) return refused(`It has more than ${limits.files} files.`)
  const entries: Entry[] = []
  for (let index = 0; index < count; index += 1) {
    if (at + listedSize > end || archive.readUInt32LE(at) !== 0x02014b50)
      return refused('Its list is damaged.')
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field))
    const next = at + listedSize + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
    if (next > end) return refused('Its list is damaged.')
    const written = archive.subarray(at + listedSize, at + listedSize + (nameLength ?? 0))
    const name = written.toString('utf8')
    if (!Buffer.from(name, 'utf8').equals(written)) return refused('A name in it is not UTF-8.')
    const isUnix = archive[at + 5] === 3
    const mode = isUnix ? archive.readUInt16LE(at + 40) : 0
    const type = mode & 0o170000
    if (type !== 0 && type !== (name.endsWith('/') ? 0o040000 : 0o100000))
      return refused(
        `${shown(name)} is ${type === 0o120000 ? 'a link' : 'neither a file nor a folder'}, which is refused.`,
      )
    entries.push({
      name,
      written,
      flags: archive.readUInt16LE(at + 8),
      method: archive.readUInt16LE(at + 10),
      sum: archive.readUInt32LE(at + 16),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      at: archive.readUInt32LE(at + 42),
      executable: (mode & 0o100) !== 0,
    })
    at = next
  }
  return at === end ? entries : refused('Its list is damaged.')
}

/** Where its end begins. A comment may stand behind it, and in that another end, which other readers would go by. */
function endOf(archive: Buffer): number | undefined {
  const from = Math.max(0, archive.length - endSize - longestComment)
  const end = archive.indexOf(endMark, from)
  if (end === -1 || end + endSize > archive.length || archive.indexOf(endMark, end + 1) !== -1)
    return undefined
  return end + endSize + archive.readUInt16LE(end + 20) === archive.length ? end : undefined
}

const endMark = Buffer.from('PK\x05\x06', 'latin1')
const longestComment = 65_535

function contentOf(
  archive: Buffer,
  { name, written, flags, method, sum, packed, size, at }: Entry,
  most: number,
): { readonly bytes: Buffer; readonly end: number } | TreeRefusal {
  if ((flags & 1) !== 0) return refused(`${shown(name)} is encrypted.`)
  if (size > most) return refused(`${shown(name)} makes it too large.`)
  if (at + localSize > archive.length || archive.readUInt32LE(at) !== 0x04034b50)
    return refused(`${shown(name)} is not where the list says.`)
  const nameLength = archive.readUInt16LE(at + 26)
  const from = at + localSize + nameLength + archive.readUInt16LE(at + 28)
  if (!archive.subarray(at + localSize, at + localSize + nameLength).equals(written))
    return refused(`${shown(name)} has another name in the list.`)
  if (archive.readUInt16LE(at + 8) !== method || from + packed > archive.length)
    return refused(`${shown(name)} is not as the list says.`)
  const bytes = unpackedBy(method, archive.subarray(from, from + packed), size)
  if (bytes?.length !== size || crc32(bytes) !== sum) return refused(`${shown(name)} is damaged.`)
  return { bytes, end: from + packed }
}

function unpackedBy(method: number, packed: Buffer, size: number): Buffer | undefined {
  if (method === 0) return packed
  if (method !== 8) return undefined
  try {
    // One byte more than it says, so that it can be seen to say too little.
    return inflateRawSync(packed, { maxOutputLength: size + 1 })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 200))
}

function refused(reason: string): TreeRefusal {
  return { kind: 'refused', reason }
}
