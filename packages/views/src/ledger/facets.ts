/** Owns the counts beside a list of entries: who, with what, how far it reached and how it ended. */
import { actorGroup, type LedgerEntryView, type LedgerFacet } from '@countersign/contract'

const mostValues = 20

export interface FacetCounter {
  count(entry: LedgerEntryView): void
  facets(): LedgerFacet[]
}

export function createFacetCounter(): FacetCounter {
  const counts = new Map<LedgerFacet['field'], Map<string, number>>(
    fields.map(({ field }) => [field, new Map()]),
  )
  return {
    count(entry) {
      for (const { field, value } of fields) {
        const found = value(entry)
        const counted = counts.get(field)
        if (found !== null) counted?.set(found, (counted.get(found) ?? 0) + 1)
      }
    },
    facets: () =>
      [...counts].map(([field, counted]) => ({
        field,
        values: [...counted]
          .map(([value, count]) => ({ value, count }))
          .toSorted((left, right) => right.count - left.count || left.value.localeCompare(right.value))
          .slice(0, mostValues),
      })),
  }
}

const fields: readonly {
  readonly field: LedgerFacet['field']
  readonly value: (entry: LedgerEntryView) => string | null
}[] = [
  { field: 'actor', value: ({ actor }) => actorGroup(actor) },
  { field: 'tool', value: ({ tool }) => tool },
  { field: 'type', value: ({ type }) => type },
  { field: 'tier', value: ({ tier }) => (tier === null ? null : String(tier)) },
  { field: 'outcome', value: ({ outcome }) => outcome },
]
