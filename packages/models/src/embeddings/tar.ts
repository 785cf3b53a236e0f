/** Reads named files out of a packed npm package. Refuses links, folders and every name that was not asked for; nothing is written. */
import { gunzipSync } from 'node:zlib'

const blockSize = 512
const mostUnpacked = 200_000_000

/** Throws when the archive cannot be read. Files that are not there are left out. */
export function readPacked(archive: Uint8Array, names: readonly string[]): Map<string, Uint8Array> {
  const bytes = gunzipSync(archive, { maxOutputLength: mostUnpacked })
  const found = new Map<string, Uint8Array>()
  let at = 0
  while (at + blockSize <= bytes.length) {
    const header = bytes.subarray(at, at + blockSize)
    const name = nameIn(header)
    if (name === '') break
    const size = Number.parseInt(textIn(header, 124, 12), 8)
    if (!Number.isSafeInteger(size) || size < 0) throw new Error('The archive is damaged.')
    const start = at + blockSize
    const type = textIn(header, 156, 1)
    if ((type === '0' || type === '') && names.includes(name))
      found.set(name, bytes.subarray(start, start + size))
    at = start + Math.ceil(size / blockSize) * blockSize
  }
  return found
}

function nameIn(header: Uint8Array): string {
  const prefix = textIn(header, 345, 155)
  const name = textIn(header, 0, 100)
  return prefix === '' ? name : `${prefix}/${name}`
}

function textIn(header: Uint8Array, at: number, length: number): string {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return Buffer.from(end === -1 ? field : field.subarray(0, end))
    .toString('utf8')
    .trim()
}
