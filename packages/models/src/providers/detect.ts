/** Finds providers that nobody configured yet: keys in the environment that it is handed, and servers on this machine. Sends no key to anybody. */
import type { DetectedProvider, ProviderKind } from '@countersign/contract'
import { kinds } from './kinds.ts'
import { listModels } from './list-models.ts'

export interface Detection {
  readonly fetch: typeof globalThis.fetch
  /** Handed in by whoever may read it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly configured: readonly { readonly kind: ProviderKind; readonly baseUrl?: string | undefined }[]
  /** For all servers together, since they are asked at once; never more than `LONGEST_WAIT_MS`. */
  readonly timeoutMs: number
}

export const LONGEST_WAIT_MS = 400

/** Names of the servers that are looked for, by their ports; the name of the kind for any other. */
const LOCAL_NAMES: Readonly<Record<string, readonly [name: string, title: string]>> = {
  '1234': ['lm-studio', 'LM Studio'],
  '8080': ['llama-cpp', 'llama.cpp'],
  '8000': ['vllm', 'vLLM'],
}

export async function detectProviders(detection: Detection): Promise<DetectedProvider[]> {
  const servers = await Promise.all(addressesToProbe(detection).map((place) => probeServer(place, detection)))
  return [...keysIn(detection), ...servers.filter((server) => server !== undefined)]
}

function keysIn({ environment, configured }: Detection): DetectedProvider[] {
  return kindsInOrder().flatMap((kind) => {
    const facts = kinds[kind]
    const variable = facts.variables.find((name) => (environment[name]?.trim() ?? '') !== '')
    if (variable === undefined || configured.some((known) => known.kind === kind)) return []
    return [{ kind, name: kind, title: facts.title, url: facts.baseUrl, variable, models: [] }]
  })
}

interface ServerAddress {
  readonly kind: ProviderKind
  readonly url: string
}

function addressesToProbe({ configured }: Detection): readonly ServerAddress[] {
  const known = new Set(configured.map(({ kind, baseUrl }) => originOf(baseUrl ?? kinds[kind].baseUrl)))
  return kindsInOrder()
    .flatMap((kind) => kinds[kind].probedUrls.map((url) => ({ kind, url })))
    .filter(({ url }) => !known.has(originOf(url)))
}

async function probeServer(
  { kind, url }: ServerAddress,
  detection: Detection,
): Promise<DetectedProvider | undefined> {
  const timeoutMs = Math.min(detection.timeoutMs, LONGEST_WAIT_MS)
  const listed = await listModels({ kind, baseUrl: url, timeoutMs }, detection.fetch)
  if (listed.kind === 'failed') return undefined
  const [name, title] = LOCAL_NAMES[URL.parse(url)?.port ?? ''] ?? [kind, kinds[kind].title]
  return { kind, name, title, url, variable: null, models: [...listed.models] }
}

/** `localhost` and the loopback address are one machine. */
function originOf(url: string | null): string {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null) return ''
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(parsed.hostname)
    ? `this machine:${parsed.port}`
    : parsed.origin
}

function kindsInOrder(): readonly ProviderKind[] {
  return Object.keys(kinds) as ProviderKind[]
}
