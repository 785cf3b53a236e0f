/** Owns what a record remembers of the content that led to it, so that reading it back taints as that content did. */
import { joinLabels, type Label, type StoredRecord, type ToolResult } from '@countersign/contract'
import type { RecordToolContext } from '../record-tool-context.ts'

/** What every record is worth that remembers nothing. */
export const recordLabel: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }

/** Content that was there before may still be there after a change, so what it was worth is kept. */
export function keptLabel(context: RecordToolContext, before: Label | null = null): Label | null {
  const label = context.cause?.label
  const fresh =
    label && (label.integrity === 'untrusted' || label.confidentiality === 'secret') ? label : null
  return before && fresh ? joinLabels(before, fresh) : (before ?? fresh)
}

/** The same for what sets work going: its runs begin with all that led to it, so what is private stays so too. */
export function wholeLabel(context: RecordToolContext, before: Label | null = null): Label | null {
  const label = context.cause?.label
  const isOwn = !label || (label.integrity === 'operator' && label.confidentiality === 'public')
  const fresh = isOwn ? null : label
  return before && fresh ? joinLabels(before, fresh) : (before ?? fresh)
}

/** The result, worth no more than the records that it tells of. */
export function tellingOf(records: readonly Pick<StoredRecord, 'label'>[], result: ToolResult): ToolResult {
  const label = records.reduce<Label | null>(
    (joined, record) =>
      joined && record.label ? joinLabels(joined, record.label) : (joined ?? record.label),
    null,
  )
  return label ? { ...result, label } : result
}
