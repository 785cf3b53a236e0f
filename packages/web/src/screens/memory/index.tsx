/** The Memory screen: what is remembered about you and your work, where it came from, and what waits to be kept. */

import type { MemoryView } from '@countersign/contract'
import { useDeferredValue, useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import {
  Chip,
  Choice,
  EmptyState,
  ListDetail,
  Loaded,
  Row,
  Safe,
  TextField,
  Time,
  useListKeys,
  VirtualList,
} from '../../kit/index.ts'
import { words } from '../../words/memory.tsx'
import { MemoryPage } from './memory-page.tsx'

export const screen: Screen = { component: MemoryScreen }

type MemoryFilter = 'active' | 'suggested'

function MemoryScreen() {
  const route = useRoute()
  const [chosen = null] = route.parts
  const show: MemoryFilter = route.search['show'] === 'suggested' ? 'suggested' : 'active'
  const [typed, setTyped] = useState('')
  const asked = useDeferredValue(typed.trim())
  const memories = useGateway(['memories', show, asked], async (client) =>
    asked === ''
      ? (await client.memories({ status: show, limit: '500' })).items
      : (await client.searchMemories({ q: asked, limit: '100' })).map(({ memory }) => memory),
  )
  const rows = memories.data ?? []
  useListKeys(words.title, {
    ids: rows.map(({ id }) => id),
    current: chosen,
    onMove: (id) => route.go(route.href([id], route.search), { replace: true }),
    onBack: () => route.go(route.href([], route.search)),
  })
  return (
    <ListDetail
      title={words.title}
      note={memories.data === undefined ? undefined : words.shown(rows.length)}
      tools={
        <div className="space-y-2">
          <TextField
            label={words.searchLabel}
            hideLabel
            type="search"
            placeholder={words.search}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Choice
            label={words.show}
            hideLabel
            value={show}
            onChange={(next) => route.ask({ show: next === 'active' ? undefined : next })}
            options={[
              { value: 'active', label: words.inUse },
              { value: 'suggested', label: words.suggested },
            ]}
          />
        </div>
      }
      backTo={route.href([], route.search)}
      scrolls={false}
      list={
        <Loaded
          query={memories}
          className="px-5 pt-1"
          isEmpty={(all) => all.length === 0}
          empty={
            <EmptyState
              className="px-5"
              sentence={
                asked !== '' ? words.noMatch : show === 'suggested' ? words.noSuggestion : words.empty
              }
              example={'countersign memory add "Invoices are kept in ~/books"'}
            />
          }
        >
          {(all) => (
            <VirtualList
              label={words.list}
              rows={all}
              keyOf={({ id }) => id}
              follow={chosen}
              className="flex-1 px-3 pb-4 max-md:h-[70dvh]"
              render={(memory) => (
                <MemoryRow
                  memory={memory}
                  to={route.href([memory.id], route.search)}
                  current={memory.id === chosen}
                />
              )}
            />
          )}
        </Loaded>
      }
      detail={chosen === null ? null : <MemoryPage key={chosen} id={chosen} />}
      placeholder={<p className="text-ink-3">{words.choose}</p>}
    />
  )
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
