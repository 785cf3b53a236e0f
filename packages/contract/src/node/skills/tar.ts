/**
 * Reads a `.tar.gz` in memory. Writes nothing. Refuses links, devices, names that are there twice or come from somewhere else
 * than the header, and whatever is larger than its bounds, before it is unpacked.
 */
import { gunzipSync } from 'node:zlib'
import type { TreeLimits, TreeRefusal } from '../file-tree.ts'
import type { ReadArchive, SkillFile } from './file-set.ts'

const block = 512
/** Headers, and what is said of times and owners. */
const besides = 4 * 1024 * 1024

export function untar(packed: Uint8Array, limits: TreeLimits): ReadArchive {
  const archive = unpacked(packed, limits.bytes + besides)
  if (!archive) return refused('It is no whole gzip archive, or is too large once unpacked.')
  const files = new Map<string, SkillFile>()
  for (let at = 0; at + block <= archive.length; ) {
    const header = archive.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) return { kind: 'read', files }
    const size = octal(header, 124, 12)
    if (size === undefined || !hasTrueSum(header)) return refused('It has a damaged header.')
    const from = at + block
    if (from + size > archive.length) return refused('It ends within a file.')
    at = from + Math.ceil(size / block) * block
    const content = archive.subarray(from, from + size)
    const path = pathOf(header)
    if (path === undefined) return refused('It has a name that is not UTF-8.')
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'g' || type === 'x') {
      const reason = problemInWords(content)
      if (reason !== undefined) return refused(reason)
    } else if (type === '5') {
      // Folders come with their files. What is in the name is checked with those.
      if (size > 0) return refused(`It says that the folder ${shown(path)} has content.`)
    } else if (type === '0' || type === '\0') {
      if (files.has(path)) return refused(`It has ${shown(path)} twice.`)
      if (files.size >= limits.files) return refused(`It has more than ${limits.files} files.`)
      if (size > limits.fileBytes) return refused(`${shown(path)} is larger than ${limits.fileBytes} bytes.`)
      files.set(path, { bytes: content, executable: ((octal(header, 100, 8) ?? 0) & 0o100) !== 0 })
    } else {
      return refused(
        `${shown(path)} is ${kinds.get(type) ?? 'neither a file nor a folder'}, which is refused.`,
      )
    }
  }
  return refused('It has no end.')
}

const kinds = new Map([
  ['1', 'a link'],
  ['2', 'a link'],
  ['3', 'a device'],
  ['4', 'a device'],
  ['6', 'a pipe'],
  ['L', 'a name that is told apart from its file'],
  ['K', 'a name that is told apart from its file'],
])

/** Records that other readers would go by and this one not: `27 path=elsewhere\n`. */
const harmless = new Set(['comment', 'mtime', 'atime', 'ctime', 'uid', 'gid', 'uname', 'gname', 'charset'])

function problemInWords(content: Uint8Array): string | undefined {
  const text = Buffer.from(content).toString('latin1')
  let at = 0
  while (at < text.length && text[at] !== '\0') {
    const [, length = '', key = ''] = /^(\d{1,7}) ([^=\n]{1,200})=/.exec(text.slice(at, at + 220)) ?? []
    if (key === '' || text[at + Number(length) - 1] !== '\n') return 'It has a damaged extended header.'
    if (!harmless.has(key) && !/^(?:LIBARCHIVE|SCHILY)\.xattr\./.test(key))
      return `It has an extended header for ${shown(key)}, by which readers could see other files.`
    at += Number(length)
  }
  return undefined
}

function unpacked(packed: Uint8Array, most: number): Buffer | undefined {
  try {
    return gunzipSync(packed, { maxOutputLength: most })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** Undefined where it is not UTF-8. */
function pathOf(header: Buffer): string | undefined {
  const isUstar = header.toString('latin1', 257, 262) === 'ustar'
  const name = text(header, 0, 100)
  const prefix = isUstar && header.toString('latin1', 257, 263) === 'ustar\0' ? text(header, 345, 155) : ''
  if (name === undefined || prefix === undefined) return undefined
  return `${prefix === '' ? '' : `${prefix}/`}${name}`.replace(/^\.\//, '')
}

/** Undefined for the binary form, which is for files of more than eight gigabytes. */
function octal(header: Buffer, from: number, length: number): number | undefined {
  const digits = header.toString('latin1', from, from + length).replace(/[\0 ].*$/s, '')
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : undefined
}

function hasTrueSum(header: Buffer): boolean {
  let sum = 0
  for (let index = 0; index < block; index += 1)
    sum += index >= 148 && index < 156 ? 0x20 : (header[index] ?? 0)
  return octal(header, 148, 8) === sum
}

function text(header: Buffer, from: number, length: number): string | undefined {
  const field = header.subarray(from, from + length)
  const end = field.indexOf(0)
  const bytes = field.subarray(0, end === -1 ? length : end)
  const read = bytes.toString('utf8')
  return Buffer.from(read, 'utf8').equals(bytes) ? read : undefined
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 200))
}

function refused(reason: string): TreeRefusal {
  return { kind: 'refused', reason }
}
