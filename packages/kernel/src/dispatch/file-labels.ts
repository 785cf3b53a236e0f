/**
 * Owns what the files of the workspace are worth: untrusted content that was written into one comes out of it as
 * untrusted, in any later run, and so does its name. What a command writes cannot be followed; what it may read is all of them.
 */
import { type ApprovalSubject, joinLabels, type Label, operatorLabel } from '@countersign/contract'
import { json, type Unit } from '../store/store.ts'
import type { EndedCall } from './calls.ts'

type Touched = Pick<ApprovalSubject, 'resources'>

/** What reading brings in, for each of the calls. Asks the database once, and only when something was read. */
export async function labelsRead(unit: Unit, subjects: readonly Touched[]): Promise<(Label | null)[]> {
  const scopes = subjects.map(scopesOf)
  if (scopes.every((paths) => paths.length === 0)) return subjects.map(() => null)
  const marked = await unit.db.selectFrom('file_labels').select(['path', 'label']).limit(mostMarked).execute()
  if (marked.length === mostMarked) return scopes.map((paths) => (paths.length > 0 ? tooMany : null))
  return scopes.map((paths) =>
    marked
      .filter(({ path }) => paths.some((scope) => isWithin(path, scope)))
      .reduce<Label | null>((joined, { label }) => joinLabels(joined ?? operatorLabel, label), null),
  )
}

/** Marks what the call wrote, or may have written, with the label it was written under. A trusted write that went well takes the mark away. */
export async function keepLabels(
  unit: Unit,
  { resources }: Touched,
  label: Label,
  outcome: EndedCall['outcome'],
): Promise<void> {
  const written = resources.flatMap((resource) =>
    resource.type === 'file' &&
    resource.root === 'workspace' &&
    (resource.op === 'write' || resource.op === 'delete')
      ? [resource.path]
      : [],
  )
  if (written.length === 0 || outcome === 'refused') return
  const isUntrusted = label.integrity === 'untrusted'
  if (!isUntrusted && outcome !== 'ok') return
  await unit.db.deleteFrom('file_labels').where('path', 'in', written).execute()
  if (!isUntrusted) return
  await unit.db
    .insertInto('file_labels')
    .values([...new Set(written)].map((path) => ({ operator_id: unit.operator, path, label: json(label) })))
    // Another run may have marked the same file meanwhile; the mark of the later write stands.
    .onConflict((conflict) =>
      conflict
        .columns(['operator_id', 'path'])
        .doUpdateSet((mark) => ({ label: mark.ref('excluded.label') })),
    )
    .execute()
}

const mostMarked = 10_000
const tooMany: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['the workspace'] }

function scopesOf({ resources }: Touched): string[] {
  // Whoever deletes here and writes there has moved what it did not say that it reads.
  const moves = resources.some((resource) => resource.type === 'file' && resource.op === 'write')
  return resources.flatMap((resource) => {
    if (resource.type === 'exec') return ['.']
    if (resource.type !== 'file' || resource.root !== 'workspace') return []
    const looks = resource.op === 'read' || resource.op === 'list'
    return looks || (moves && resource.op === 'delete') ? [resource.path] : []
  })
}

function isWithin(path: string, scope: string): boolean {
  // A mark on a folder, left by a move, stands for all that is in it.
  return scope === '.' || path === scope || path.startsWith(`${scope}/`) || scope.startsWith(`${path}/`)
}
