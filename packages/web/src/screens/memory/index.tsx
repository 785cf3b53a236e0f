/** The Memory screen: what is remembered about you and your work, where it came from, and what waits to be kept. */

import type { MemoryView } from '@countersign/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Download, EyeOff, Plus } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useGateway } from '../../environment/queries.ts'
import { type Route, useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { useClient } from '../../environment/services.tsx'
import {
  Button,
  Chip,
  EmptyState,
  ListDetail,
  Loaded,
  Menu,
  Row,
  Safe,
  SearchField,
  Select,
  saveFile,
  Time,
  useIsNarrow,
  useListKeys,
  useNotify,
  VirtualList,
} from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/memory.tsx'
import { type FoundMemories, filterOf, findMemories, type MemoryFilter, memoryFilters } from './filters.ts'
import { AddMemoryDialog } from './memory-form.tsx'
import { MemoryPage } from './memory-page.tsx'
import { NeverDialog } from './never-dialog.tsx'
import { TimeLine } from './time-line.tsx'

export const screen: Screen = { component: MemoryScreen }

function MemoryScreen() {
  const route = useRoute()
  const narrow = useIsNarrow()
  const show = filterOf(route.search['show'])
  const isTimeLine = route.search['view'] === 'time'
  const [typed, setTyped] = useState('')
  const [pages, setPages] = useState(1)
  const [open, setOpen] = useState<'add' | 'never' | null>(null)
  useAskedFor('add', () => setOpen('add'))
  const asked = useDeferredValue(typed.trim())
  const memories = useGateway(['memories', show, asked, pages], (client) =>
    findMemories(client, show, asked, pages),
  )
  const { rows = [], total = 0 } = memories.data ?? {}
  const [chosen = narrow ? null : (rows[0]?.id ?? null)] = route.parts
  const isEmpty = memories.data !== undefined && total === 0 && asked === '' && chosen === null
  const to = (id: string) => route.href([id], route.search)
  useListKeys(words.title, {
    ids: rows.map(({ id }) => id),
    current: chosen,
    onMove: (id) => route.go(to(id), { replace: true }),
    onBack: () => route.go(route.href([], route.search)),
  })
  return (
    <>
      <ListDetail
        title={words.title}
        alone={isEmpty}
        note={memories.data === undefined || isEmpty ? undefined : words.shown(rows.length, total)}
        tools={<Tools route={route} show={show} typed={typed} onType={setTyped} onOpen={setOpen} />}
        backTo={route.href([], route.search)}
        scrolls={isTimeLine}
        list={
          <MemoryList
            memories={memories}
            chosen={chosen}
            isTimeLine={isTimeLine}
            to={to}
            empty={
              <Empty
                show={show}
                isSearch={asked !== ''}
                isTimeLine={isTimeLine}
                onAdd={() => setOpen('add')}
              />
            }
            onMore={() => setPages(pages + 1)}
          />
        }
        detail={
          chosen === null ? null : (
            <MemoryPage
              key={chosen}
              id={chosen}
              onGone={() => route.go(route.href([], route.search))}
              onMoved={(id) => route.go(to(id), { replace: true })}
            />
          )
        }
      />
      {open === 'add' ? (
        <AddMemoryDialog onClose={() => setOpen(null)} onAdded={(id) => route.go(route.href([id]))} />
      ) : null}
      {open === 'never' ? <NeverDialog onClose={() => setOpen(null)} /> : null}
    </>
  )
}

function MemoryList({
  memories,
  chosen,
  isTimeLine,
  to,
  empty,
  onMore,
}: {
  memories: UseQueryResult<FoundMemories>
  chosen: string | null
  isTimeLine: boolean
  to: (id: string) => string
  empty: ReactNode
  onMore: () => void
}) {
  return (
    <Loaded query={memories} className="px-5 pt-1" isEmpty={({ rows }) => rows.length === 0} empty={empty}>
      {({ rows, total }) => (
        <>
          {isTimeLine ? (
            <TimeLine memories={rows} to={to} />
          ) : (
            <VirtualList
              label={words.list}
              rows={rows}
              keyOf={({ id }) => id}
              follow={chosen}
              className="flex-1 px-3 pb-4 max-md:h-[70dvh]"
              render={(memory) => (
                <MemoryRow memory={memory} to={to(memory.id)} current={memory.id === chosen} />
              )}
            />
          )}
          {rows.length < total ? (
            <Button className="mx-5 mb-4" onClick={onMore}>
              {common.showMore}
            </Button>
          ) : null}
        </>
      )}
    </Loaded>
  )
}

function Tools({
  route,
  show,
  typed,
  onType,
  onOpen,
}: {
  route: Route
  show: MemoryFilter
  typed: string
  onType: (text: string) => void
  onOpen: (what: 'add' | 'never') => void
}) {
  const exportAll = useExport()
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap gap-2">
        <Button variant="go" icon={Plus} onClick={() => onOpen('add')}>
          {words.add}
        </Button>
        <Menu
          label={words.moreActions}
          variant="plain"
          items={[
            { label: words.exportAll, icon: Download, run: exportAll },
            { label: words.never.title, icon: EyeOff, run: () => onOpen('never') },
          ]}
        />
      </div>
      <SearchField label={words.searchLabel} placeholder={words.search} value={typed} onChange={onType} />
      <Shown route={route} show={show} />
    </div>
  )
}

function Shown({ route, show }: { route: Route; show: MemoryFilter }) {
  return (
    <div className="grid grid-cols-2 gap-2">
      <Select
        label={words.show}
        hideLabel
        value={show}
        options={memoryFilters.map((each) => [each, words.filters[each]] as const)}
        onChange={(event) =>
          route.ask({ show: event.target.value === 'active' ? undefined : event.target.value })
        }
      />
      <Select
        label={words.view}
        hideLabel
        value={route.search['view'] ?? 'list'}
        options={[
          ['list', words.views.list],
          ['time', words.views.time],
        ]}
        onChange={(event) => route.ask({ view: event.target.value === 'list' ? undefined : 'time' })}
      />
    </div>
  )
}

function Empty({
  show,
  isSearch,
  isTimeLine,
  onAdd,
}: {
  show: MemoryFilter
  isSearch: boolean
  isTimeLine: boolean
  onAdd: () => void
}) {
  // The list of a time line has a margin of its own.
  const className = isTimeLine ? 'px-2' : 'px-2 md:px-5'
  if (isSearch) return <EmptyState className={className} sentence={words.noMatch} />
  return (
    <EmptyState
      className={className}
      sentence={words.emptyOf[show]}
      {...(show === 'active'
        ? {
            action: (
              <Button icon={Plus} onClick={onAdd}>
                {words.addFirst}
              </Button>
            ),
          }
        : {})}
    />
  )
}

function useExport(): () => void {
  const client = useClient()
  const notify = useNotify()
  return () =>
    void client
      .exportMemories()
      .then((body) => new Response(body).blob())
      .then((file) => {
        saveFile(file, 'memories.jsonl')
        notify({ text: words.exported })
      })
      .catch((error: unknown) => notify({ text: String(error), tone: 'bad' }))
}

function MemoryRow({ memory, to, current }: { memory: MemoryView; to: string; current: boolean }) {
  return (
    <Row to={to} current={current}>
      <span className="line-clamp-2">
        <Safe text={memory.content} />
      </span>
      <span className="mt-1 flex flex-wrap items-center gap-1.5 text-small text-ink-3">
        <Chip>{words.types[memory.type]}</Chip>
        {memory.pinned ? <Chip tone="act">{words.pinned}</Chip> : null}
        {memory.label === null ? null : <Chip tone="waiting">{words.external}</Chip>}
        <Time at={memory.updatedAt} className="ms-auto" />
      </span>
    </Row>
  )
}
