/** One record: what it says, and what can be done with it. Each change can be taken back. */
import type { RecordView } from '@countersign/contract'
import { Check, Pencil, RotateCcw, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import { Button, Facts, Safe, SafeBlock, Sheet, Skeleton } from '../../kit/index.ts'
import { words } from '../../words/library.tsx'
import type { RecordField, RecordKind } from './kinds.ts'
import { Marks } from './marks.tsx'
import { RecordDialog } from './record-dialog.tsx'
import { dayInWords, textIn } from './values.ts'

const Markdown = lazy(() => import('../../thread/words.tsx'))

export function RecordPage({ kind, record }: { kind: RecordKind; record: RecordView }) {
  const [editing, setEditing] = useState(false)
  const direct = useDirectCalls('library')
  const { data, label } = record
  const { remove, id } = kind.tools
  const rest = kind.fields.filter(
    ({ name, kind: of }) => name !== kind.titleField && of !== 'truth' && of !== 'markdown',
  )
  const text = kind.fields.find(({ kind: of }) => of === 'markdown')
  const facts = [
    ...rest.map((field) => [field.label, valueOf(field, data)] as const),
    [
      words.source,
      label?.integrity === 'untrusted' ? words.outsideFrom(label.sources.join(', ')) : null,
    ] as const,
  ].filter(([, value]) => value !== null)
  return (
    <article>
      <h2 className="max-w-prose text-title font-medium">
        <Safe text={textIn(data, kind.titleField)} />
      </h2>
      <div className="mt-2 flex flex-wrap items-center gap-1.5">
        <Marks record={record} />
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        {kind.name === 'tasks' ? <TaskButton record={record} /> : null}
        <Button icon={Pencil} onClick={() => setEditing(true)}>
          {words.edit}
        </Button>
        <Button
          variant="danger"
          icon={Trash2}
          onClick={() => direct.act(remove, { [id]: record.id }, words.deleted(words.one[kind.name]))}
        >
          {words.delete}
        </Button>
      </div>
      {text === undefined || data[text.name] === '' ? null : (
        <Sheet className="mt-4">
          <Suspense fallback={<Skeleton rows={2} />}>
            <Markdown text={textIn(data, text.name)} />
          </Suspense>
        </Sheet>
      )}
      {facts.length === 0 ? null : (
        <Sheet className="mt-4">
          <Facts rows={facts} />
        </Sheet>
      )}
      {editing ? <RecordDialog kind={kind} record={record} onClose={() => setEditing(false)} /> : null}
    </article>
  )
}

function TaskButton({ record }: { record: RecordView }) {
  const direct = useDirectCalls('library')
  const isDone = record.data['status'] === 'completed'
  return isDone ? (
    <Button
      icon={RotateCcw}
      onClick={() =>
        direct.act('update_task', { taskId: record.id, status: 'pending' }, words.changed(words.one.tasks))
      }
    >
      {words.reopen}
    </Button>
  ) : (
    <Button
      variant="go"
      icon={Check}
      onClick={() => direct.act('complete_task', { taskId: record.id }, words.completed)}
    >
      {words.complete}
    </Button>
  )
}

function valueOf({ name, kind }: RecordField, data: RecordView['data']): ReactNode {
  const value = data[name]
  if (Array.isArray(value)) return value.length === 0 ? null : <Safe text={value.join(', ')} />
  const text = textIn(data, name)
  if (text === '') return null
  if (kind === 'day') return dayInWords(text)
  return kind === 'prose' ? <SafeBlock text={text} /> : <Safe text={text} />
}
