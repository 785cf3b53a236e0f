/**
 * Fetches the newest data from the npm registry. Refuses data that is damaged, that lost most of its models or that has
 * absurd prices: then everything stays as it was.
 */
import type { CatalogueData, CatalogueModel } from './data.ts'
import { fetchPackage, publicRegistry, type RegistryAccess } from './registry.ts'
import { makeData, sourcePackages } from './vendor.ts'

export interface RefreshParts {
  readonly fetch: typeof globalThis.fetch
  readonly now: () => Date
  /** The data that is in use. */
  readonly before?: CatalogueData
  readonly registry?: string
  readonly mostBytes?: number
  readonly timeoutMs?: number
}

export type RefreshResult =
  | { readonly kind: 'refreshed'; readonly data: CatalogueData }
  | { readonly kind: 'failed'; readonly message: string }

export interface DataComparison {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** Never rejects. */
export async function refreshCatalogue(parts: RefreshParts): Promise<RefreshResult> {
  const access: RegistryAccess = {
    fetch: parts.fetch,
    registry: parts.registry ?? publicRegistry,
    mostBytes: parts.mostBytes ?? 20_000_000,
    timeoutMs: parts.timeoutMs ?? 60_000,
  }
  const piAi = await fetchPackage(access, sourcePackages.piAi)
  if (piAi.kind === 'failed') return failed(piAi.message)
  const genaiPrices = await fetchPackage(access, sourcePackages.genaiPrices)
  if (genaiPrices.kind === 'failed') return failed(genaiPrices.message)
  const day = parts.now().toISOString().slice(0, 10)
  const made = makeData({ piAi: piAi.package, genaiPrices: genaiPrices.package }, day)
  if (made.kind === 'refused') return failed(made.message)
  const problem = problemWith(made.data, parts.before)
  return problem === undefined ? { kind: 'refreshed', data: made.data } : failed(problem)
}

/** By provider kind and name. A new title, source or date alone is no change. */
export function compareData(before: CatalogueData, after: CatalogueData): DataComparison {
  const [had, has] = [entriesOf(before), entriesOf(after)]
  const kept = [...has.keys()].filter((key) => had.has(key))
  return {
    added: has.size - kept.length,
    changed: kept.filter((key) => had.get(key) !== has.get(key)).length,
    removed: had.size - kept.length,
  }
}

/** Both are counted: one of the two sources may have gone silent while the other has not. */
function problemWith(after: CatalogueData, before: CatalogueData | undefined): string | undefined {
  for (const [what, counts] of Object.entries(counted)) {
    const had = before === undefined ? 1 : before.models.filter(counts).length
    const has = after.models.filter(counts).length
    if (has === 0 || has * 2 < had) return `The new data has ${has} models ${what}, where there were ${had}.`
  }
  return undefined
}

const counted: Readonly<Record<string, (model: CatalogueModel) => boolean>> = {
  'with a price': ({ price }) => price !== null,
  'to choose from': ({ listed }) => listed !== false,
}

function entriesOf(data: CatalogueData): Map<string, string> {
  return new Map(
    data.models.map((model) => [
      `${model.kind}/${model.id}`,
      JSON.stringify([
        [...model.capabilities].toSorted(),
        model.context,
        model.output,
        model.price,
        model.later,
        model.listed,
      ]),
    ]),
  )
}

function failed(message: string): RefreshResult {
  return { kind: 'failed', message: `${message} The catalogue stays as it was.` }
}
