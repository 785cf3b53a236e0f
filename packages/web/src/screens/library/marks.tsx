/** The short words about a record: what it is worth, and how it stands. */
import type { RecordView } from '@countersign/contract'
import { Chip } from '../../kit/index.ts'
import { words } from '../../words/library.tsx'

export function Marks({ record: { data, label } }: { record: RecordView }) {
  return (
    <>
      {data['isPinned'] === true ? <Chip tone="act">{words.pinned}</Chip> : null}
      {data['isFavorite'] === true ? <Chip tone="act">{words.favourite}</Chip> : null}
      {data['status'] === 'completed' ? <Chip tone="ok">{words.done}</Chip> : null}
      {data['priority'] === 'urgent' || data['priority'] === 'high' ? (
        <Chip tone="waiting">{words.priorities[data['priority']]}</Chip>
      ) : null}
      {label?.integrity === 'untrusted' ? <Chip tone="waiting">{words.outside}</Chip> : null}
    </>
  )
}
