/** Chooses how the nearest vectors are found: by pgvector where the database has it, else by the scan. */
import type { AssistantContext } from '../../assistant-context.ts'
import { isPgvectorThere, openPgvectorIndex } from './pgvector-index.ts'
import { createScanIndex, type ScanIndexOptions } from './scan-index.ts'
import type { VectorIndex } from './vector-index.ts'

export async function openVectorIndex(
  { operator, records }: Pick<AssistantContext, 'operator' | 'records'>,
  scan: ScanIndexOptions,
): Promise<VectorIndex> {
  if (!(await records.read(operator, ({ db }) => isPgvectorThere(db)))) return createScanIndex(scan)
  try {
    return (await records.change(operator, ({ db }) => openPgvectorIndex(db, scan.kind))).value
  } catch (problem) {
    // The database has the extension and does not let this role use it: the scan needs nobody's leave.
    scan.onProblem(problem)
    return createScanIndex(scan)
  }
}
