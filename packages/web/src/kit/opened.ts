/** Owns what stands open beside a list: what the address names, or the first thing where there is room for both. */
import { useIsNarrow } from './narrow.ts'

export function useOpened(ids: readonly string[], chosen: string | null): string | null {
  const narrow = useIsNarrow()
  return chosen ?? (narrow ? null : (ids[0] ?? null))
}
