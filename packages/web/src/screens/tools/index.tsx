/** The Tools screen: what agents can use, how risky each is at least, and how it went. */

import type { ToolView } from '@countersign/contract'
import { useState } from 'react'
import { useTools } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import {
  Chip,
  EmptyState,
  ListDetail,
  Loaded,
  Mono,
  Row,
  Safe,
  TextField,
  TierChip,
  useListKeys,
  VirtualList,
} from '../../kit/index.ts'
import { words } from '../../words/tools.tsx'
import { ToolPage } from './tool-page.tsx'

export const screen: Screen = { component: ToolsScreen }

function ToolsScreen() {
  const route = useRoute()
  const [chosen = null] = route.parts
  const [typed, setTyped] = useState('')
  const tools = useTools()
  const rows = found(tools.data ?? [], typed)
  useListKeys(words.title, {
    ids: rows.map(({ name }) => name),
    current: chosen,
    onMove: (name) => route.go(route.href([name]), { replace: true }),
    onBack: () => route.go(route.base),
  })
  return (
    <ListDetail
      title={words.title}
      note={tools.data === undefined ? undefined : words.count(rows.length)}
      tools={
        <TextField
          label={words.filterLabel}
          hideLabel
          placeholder={words.filter}
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      }
      backTo={route.base}
      scrolls={false}
      {...(chosen === null ? {} : { detailTitle: chosen })}
      list={
        <Loaded
          query={tools}
          className="px-5 pt-1"
          isEmpty={() => rows.length === 0}
          empty={
            <EmptyState
              className="px-5"
              sentence={typed === '' ? words.empty : words.noMatch}
              example="countersign tool list --all"
            />
          }
        >
          {() => (
            <VirtualList
              label={words.title}
              rows={rows}
              keyOf={({ name }) => name}
              follow={chosen}
              className="flex-1 px-3 pb-4 max-md:h-[70dvh]"
              render={(tool) => (
                <ToolRow tool={tool} to={route.href([tool.name])} current={tool.name === chosen} />
              )}
            />
          )}
        </Loaded>
      }
      detail={chosen === null ? null : <ToolPage key={chosen} name={chosen} />}
      placeholder={<p className="text-ink-3">{words.choose}</p>}
    />
  )
}

function ToolRow({ tool, to, current }: { tool: ToolView; to: string; current: boolean }) {
  return (
    <Row to={to} current={current}>
      <span className="flex items-center gap-2">
        <Mono text={tool.name} className="bg-transparent px-0 font-medium" />
        <span className="ms-auto flex gap-1.5">
          {tool.enabled ? null : <Chip>{words.off}</Chip>}
          <TierChip tier={tool.floor} />
        </span>
      </span>
      <span className="mt-0.5 block truncate text-small text-ink-2">
        <Safe text={tool.description} />
      </span>
    </Row>
  )
}

function found(tools: readonly ToolView[], typed: string): readonly ToolView[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return tools
  return tools.filter(({ name, description, group }) =>
    `${name} ${description} ${group}`.toLowerCase().includes(wanted),
  )
}
