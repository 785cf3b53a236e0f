/**
 * Reads chosen files out of an npm tarball, in memory. Writes nothing, follows no links, and refuses what is larger
 * than it should be before it is unpacked.
 */
import { gunzipSync } from 'node:zlib'

export type ReadTarball<Content = string> =
  | { readonly kind: 'read'; readonly files: ReadonlyMap<string, Content> }
  | { readonly kind: 'refused'; readonly message: string }

export interface TarballBounds {
  /** Of the archive once it is unpacked. */
  readonly bytes: number
  readonly entries: number
}

const tarballBounds: TarballBounds = { bytes: 100_000_000, entries: 20_000 }

const block = 512

/** The text of every regular file that is wanted, by its path inside the package. */
export function readTarball(
  packed: Uint8Array,
  wanted: (path: string) => boolean,
  bounds: TarballBounds = tarballBounds,
): ReadTarball {
  return read(packed, wanted, bounds, (bytes) => bytes.toString('utf8'))
}

/** The same, with bytes as they are; they are views of the whole archive, which stays as long as one of them does. */
export function readTarballBytes(
  packed: Uint8Array,
  wanted: (path: string) => boolean,
  bounds: TarballBounds = tarballBounds,
): ReadTarball<Uint8Array> {
  return read(packed, wanted, bounds, (bytes) => bytes)
}

function read<Content>(
  packed: Uint8Array,
  wanted: (path: string) => boolean,
  bounds: TarballBounds,
  contentOf: (bytes: Buffer) => Content,
): ReadTarball<Content> {
  const archive = unpack(packed, bounds.bytes)
  if (archive === undefined) return refused('is not a gzip archive, or is too large once unpacked')
  const files = new Map<string, Content>()
  let entries = 0
  let at = 0
  while (at + block <= archive.length) {
    const header = archive.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) return { kind: 'read', files }
    entries += 1
    if (entries > bounds.entries) return refused(`has more than ${bounds.entries} files`)
    const size = octal(header, 124, 12)
    if (size === undefined || !hasTrueSum(header)) return refused('has a damaged header')
    const from = at + block
    if (from + size > archive.length) return refused('ends within a file')
    const path = pathOf(header)
    // Links, folders, devices and headers that rename are passed over: a package that npm made needs none of them.
    if (isRegular(header) && path !== undefined && wanted(path)) {
      if (files.has(path)) return refused(`has the file ${path} twice`)
      files.set(path, contentOf(archive.subarray(from, from + size)))
    }
    at = from + Math.ceil(size / block) * block
  }
  return refused('has no end')
}

function unpack(packed: Uint8Array, most: number): Buffer | undefined {
  try {
    return gunzipSync(packed, { maxOutputLength: most })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** Without the folder `package/` that npm puts around everything; undefined for a path that leads out of it. */
function pathOf(header: Buffer): string | undefined {
  const prefix = text(header, 345, 155)
  const path = `${prefix === '' ? '' : `${prefix}/`}${text(header, 0, 100)}`
  const inside = path.match(/^[^/]+\/(.+)$/)?.[1]
  return inside === undefined || inside.split('/').includes('..') ? undefined : inside
}

function isRegular(header: Buffer): boolean {
  return header[156] === 0 || header[156] === 0x30
}

/** Undefined for the binary form, which is for files of more than eight gigabytes. */
function octal(header: Buffer, from: number, length: number): number | undefined {
  const digits = text(header, from, length).trim()
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : undefined
}

function hasTrueSum(header: Buffer): boolean {
  let sum = 0
  for (let index = 0; index < block; index++) {
    sum += index >= 148 && index < 156 ? 0x20 : (header[index] ?? 0)
  }
  return octal(header, 148, 8) === sum
}

function text(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.subarray(0, end === -1 ? length : end).toString('utf8')
}

function refused(what: string): ReadTarball<never> {
  return { kind: 'refused', message: `The package ${what}.` }
}
