/**
 * Fetches a package from an npm registry and checks that it is what the registry says. Refuses what is too large, what
 * is not what was stated, and a redirect. Sends nothing but the package's name.
 */
import { createHash } from 'node:crypto'
import { cappedBytes } from '../providers/capped-body.ts'

export type PackageFetch =
  | { readonly kind: 'fetched'; readonly package: FetchedPackage }
  | { readonly kind: 'failed'; readonly message: string }

export interface FetchedPackage {
  readonly name: string
  readonly version: string
  /** The day on which it was published. */
  readonly date: string
  readonly licence: string
  readonly integrity: string
  readonly tarball: Uint8Array
}

export interface RegistryAccess {
  readonly fetch: typeof globalThis.fetch
  readonly registry: string
  readonly mostBytes: number
  readonly timeoutMs: number
}

export const publicRegistry = 'https://registry.npmjs.org'

/** The version that is asked for, or the latest. */
export async function fetchPackage(
  access: RegistryAccess,
  name: string,
  version?: string,
): Promise<PackageFetch> {
  const address = `${access.registry.replace(/\/$/, '')}/${name.replace('/', '%2F')}`
  const metadata = await download(access, address, 'application/json')
  if (metadata.kind === 'failed') return metadata
  const stated = packageMetadataIn(metadata.bytes, name, version)
  if (stated === undefined) return failed(`${address} does not say which package ${name} is.`)
  if (URL.parse(stated.url)?.origin !== URL.parse(access.registry)?.origin) {
    return failed(`${name} ${stated.version} is said to lie at ${stated.url}, which is not the registry.`)
  }
  const tarball = await download(access, stated.url, 'application/octet-stream')
  if (tarball.kind === 'failed') return tarball
  if (integrityOf(tarball.bytes) !== stated.integrity) {
    return failed(`${name} ${stated.version} is not what the registry says it is: its SHA-512 differs.`)
  }
  const { url: _, ...facts } = stated
  return { kind: 'fetched', package: { ...facts, name, tarball: tarball.bytes } }
}

export function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

interface PackageMetadata {
  readonly version: string
  readonly date: string
  readonly licence: string
  readonly integrity: string
  readonly url: string
}

function packageMetadataIn(
  metadata: Uint8Array,
  name: string,
  wanted: string | undefined,
): PackageMetadata | undefined {
  const packument = parsed(metadata)
  if (field(packument, 'name') !== name) return undefined
  const version = wanted ?? field(field(packument, 'dist-tags'), 'latest')
  if (typeof version !== 'string') return undefined
  const manifest = field(field(packument, 'versions'), version)
  const integrity = field(field(manifest, 'dist'), 'integrity')
  const url = field(field(manifest, 'dist'), 'tarball')
  const time = field(field(packument, 'time'), version)
  const licence = field(manifest, 'license')
  if (typeof integrity !== 'string' || typeof url !== 'string' || typeof time !== 'string') return undefined
  // One plain SHA-512 is what every package has today; anything weaker is not relied on.
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) || !/^\d{4}-\d{2}-\d{2}T/.test(time)) return undefined
  return {
    version,
    date: time.slice(0, 10),
    licence: typeof licence === 'string' ? licence : 'unknown',
    integrity,
    url,
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

type DownloadResult =
  | { readonly kind: 'downloaded'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly message: string }

async function download(access: RegistryAccess, url: string, accept: string): Promise<DownloadResult> {
  try {
    const response = await access.fetch(url, {
      headers: { accept },
      redirect: 'error',
      signal: AbortSignal.timeout(access.timeoutMs),
    })
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      return failed(`${url} answered with status ${response.status}.`)
    }
    const bytes = await cappedBytes(response, access.mostBytes)
    if (bytes === undefined) return failed(`${url} is larger than ${access.mostBytes} bytes.`)
    return { kind: 'downloaded', bytes }
  } catch (error) {
    return failed(`${url} cannot be read: ${reasonOf(error)}.`)
  }
}

/** `fetch` says only that it failed; what happened is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

function failed(message: string): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message }
}
