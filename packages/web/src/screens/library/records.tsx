/** One kind of record as a list beside the one that is open: search, add, open. */
import type { RecordView } from '@countersign/contract'
import { Plus } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import {
  Button,
  classes,
  EmptyState,
  ListDetail,
  Loaded,
  Row,
  Safe,
  SearchField,
  Time,
  useIsNarrow,
  useListKeys,
  VirtualList,
} from '../../kit/index.ts'
import { amountWords } from '../../language/format.ts'
import { words } from '../../words/library.tsx'
import { KindLinks } from './kind-links.tsx'
import type { RecordKind } from './kinds.ts'
import { Marks } from './marks.tsx'
import { RecordDialog } from './record-dialog.tsx'
import { RecordPage } from './record-page.tsx'
import { dayInWords, textIn } from './values.ts'

export function Records({ kind, aside }: { kind: RecordKind; aside?: ReactNode }) {
  const route = useRoute()
  const narrow = useIsNarrow()
  const [typed, setTyped] = useState('')
  const [adding, setAdding] = useState(false)
  useAskedFor('add', () => setAdding(true))
  const asked = useDeferredValue(typed.trim())
  const records = useGateway(['library', kind.name, asked], (client) =>
    kind.list(client, asked === '' ? undefined : asked),
  )
  const rows = records.data?.items ?? []
  const [, chosen = narrow ? undefined : rows[0]?.id] = route.parts
  const open = rows.find(({ id }) => id === chosen)
  const isEmpty = records.data?.total === 0 && asked === ''
  const to = (id: string) => route.href([kind.name, id])
  useListKeys(words.title, {
    ids: rows.map(({ id }) => id),
    current: chosen ?? null,
    onMove: (id) => route.go(to(id), { replace: true }),
    onBack: () => route.go(route.href([kind.name])),
  })
  return (
    <>
      <ListDetail
        title={words.title}
        alone={isEmpty}
        note={
          records.data === undefined || isEmpty ? undefined : words.count(rows.length, records.data.total)
        }
        tools={
          isEmpty ? (
            <KindLinks current={kind.name} />
          ) : (
            <Tools kind={kind} typed={typed} onType={setTyped} onAdd={() => setAdding(true)} />
          )
        }
        backTo={route.href([kind.name])}
        scrolls={false}
        list={
          <Loaded
            query={records}
            className="px-5 pt-1"
            isEmpty={({ items }) => items.length === 0}
            empty={<Empty kind={kind} isSearch={asked !== ''} onAdd={() => setAdding(true)} />}
          >
            {({ items }) => (
              <VirtualList
                label={kind.title}
                rows={items}
                keyOf={({ id }) => id}
                follow={chosen ?? null}
                className="flex-1 px-3 pb-4 max-md:h-[70dvh]"
                render={(record) => (
                  <RecordRow kind={kind} record={record} to={to(record.id)} current={record.id === chosen} />
                )}
              />
            )}
          </Loaded>
        }
        detail={
          open === undefined ? null : (
            <>
              <RecordPage key={open.id} kind={kind} record={open} />
              {aside}
            </>
          )
        }
      />
      {adding ? <RecordDialog kind={kind} onClose={() => setAdding(false)} /> : null}
    </>
  )
}

function Tools({
  kind,
  typed,
  onType,
  onAdd,
}: {
  kind: RecordKind
  typed: string
  onType: (text: string) => void
  onAdd: () => void
}) {
  return (
    <div className="space-y-2">
      <KindLinks current={kind.name} />
      <Button variant="go" icon={Plus} onClick={onAdd}>
        {words.addTitle[kind.name]}
      </Button>
      <SearchField label={words.searchLabel} placeholder={words.search} value={typed} onChange={onType} />
    </div>
  )
}

function Empty({ kind, isSearch, onAdd }: { kind: RecordKind; isSearch: boolean; onAdd: () => void }) {
  if (isSearch) return <EmptyState className="px-5" sentence={words.noMatch} />
  return (
    <EmptyState
      className="px-2 md:px-5"
      sentence={words.emptyOf[kind.name]}
      action={
        <Button variant="go" icon={Plus} onClick={onAdd}>
          {words.addTitle[kind.name]}
        </Button>
      }
    />
  )
}

function RecordRow({
  kind,
  record,
  to,
  current,
}: {
  kind: RecordKind
  record: RecordView
  to: string
  current: boolean
}) {
  const { data } = record
  const isDone = data['status'] === 'completed'
  return (
    <Row to={to} current={current}>
      <span className={classes('line-clamp-2', isDone && 'text-ink-3 line-through')}>
        <Safe text={textIn(data, kind.titleField)} />
      </span>
      <span className="mt-1 flex flex-wrap items-center gap-1.5 text-small text-ink-3">
        <Marks record={record} />
        {typeof data['dueDate'] === 'string' ? <span>{words.due(dayInWords(data['dueDate']))}</span> : null}
        {typeof data['amount'] === 'string' ? (
          <span className="num">{amountWords(data['amount'], textIn(data, 'currency'))}</span>
        ) : null}
        {typeof data['email'] === 'string' ? <Safe text={data['email']} /> : null}
        <Time at={record.updatedAt} className="ms-auto" />
      </span>
    </Row>
  )
}
