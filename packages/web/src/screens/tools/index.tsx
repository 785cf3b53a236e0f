/** The Tools screen: what agents can use, how risky each is at least, and how it went. */

import type { ToolView } from '@countersign/contract'
import { Sparkline } from '../../charts/index.tsx'
import { useTools } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import {
  Button,
  Chip,
  EmptyState,
  ListDetail,
  Loaded,
  Row,
  Safe,
  SearchField,
  Select,
  TierChip,
  useListKeys,
  VirtualList,
} from '../../kit/index.ts'
import { lengthWords } from '../../language/format.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/tools.tsx'
import { shownTools, states, type ToolFilter } from './filter.ts'
import { Groups } from './groups.tsx'
import { ToolPage } from './tool-page.tsx'

export const screen: Screen = { component: ToolsScreen }

/** On a phone the groups are a page of their own; beside a list they stand where no tool is chosen. */
const groupsPart = 'groups'
const tiers = [0, 1, 2, 3, 4] as const

function ToolsScreen() {
  const route = useRoute()
  const [chosen = null] = route.parts
  const tools = useTools()
  const filter = filterOf(route.search)
  const rows = shownTools(tools.data ?? [], filter)
  const hrefOf = (name: string) => route.href([name], route.search)
  useListKeys(words.title, {
    ids: rows.map(({ name }) => name),
    current: chosen,
    onMove: (name) => route.go(hrefOf(name), { replace: true }),
    onBack: () => route.go(route.href([], route.search)),
  })
  const groups = <Groups onShow={(group) => route.go(route.href([], { group }))} />
  return (
    <ListDetail
      title={words.title}
      note={
        tools.data === undefined ? undefined : `${words.count(rows.length)}, ${words.called(callsOf(rows))}`
      }
      tools={
        <Filters filter={filter} onChange={route.ask} onGroups={() => route.go(route.href([groupsPart]))} />
      }
      backTo={route.href([], route.search)}
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
              sentence={words.noMatch}
              action={<Button onClick={() => route.go(route.base)}>{words.showAll}</Button>}
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
              render={(tool) => <ToolRow tool={tool} to={hrefOf(tool.name)} current={tool.name === chosen} />}
            />
          )}
        </Loaded>
      }
      detail={
        chosen === null ? null : chosen === groupsPart ? groups : <ToolPage key={chosen} name={chosen} />
      }
      placeholder={groups}
    />
  )
}

function callsOf(tools: readonly ToolView[]): number {
  return tools.reduce((sum, { use }) => sum + use.calls, 0)
}

function filterOf(search: Readonly<Record<string, string>>): ToolFilter {
  const tier = Number(search['tier'])
  return {
    words: search['q'] ?? '',
    state: states.find((state) => state === search['state']) ?? 'all',
    tier: search['tier'] !== undefined && tiers.some((each) => each === tier) ? tier : null,
    group: search['group'] ?? null,
  }
}

function Filters({
  filter,
  onChange,
  onGroups,
}: {
  filter: ToolFilter
  onChange: (change: Readonly<Record<string, string | undefined>>) => void
  onGroups: () => void
}) {
  const given = (value: string) => (value === '' || value === 'all' ? undefined : value)
  return (
    <div className="space-y-2">
      <SearchField
        label={words.filterLabel}
        placeholder={words.filter}
        value={filter.words}
        onChange={(typed) => onChange({ q: typed === '' ? undefined : typed })}
      />
      <div className="grid grid-cols-2 items-center gap-2">
        <Select
          label={words.state}
          hideLabel
          value={filter.state}
          onChange={(event) => onChange({ state: given(event.target.value) })}
          options={states.map((state) => [state, words.states[state]] as const)}
        />
        <Select
          label={words.tier}
          hideLabel
          value={filter.tier === null ? 'all' : String(filter.tier)}
          onChange={(event) => onChange({ tier: given(event.target.value) })}
          options={[
            ['all', words.anyTier],
            ...tiers.map((tier) => [String(tier), common.tier.names[tier]] as const),
          ]}
        />
        {filter.group === null ? (
          <Button size="small" onClick={onGroups}>
            {words.groups.title}
          </Button>
        ) : (
          <Button size="small" onClick={() => onChange({ group: undefined })}>
            {words.onlyGroup(filter.group)}
          </Button>
        )}
      </div>
    </div>
  )
}

function ToolRow({ tool, to, current }: { tool: ToolView; to: string; current: boolean }) {
  const { use } = tool
  return (
    <Row to={to} current={current}>
      <span className="flex items-center gap-2">
        <Safe text={tool.name} className="min-w-0 truncate font-medium" />
        <span className="ms-auto flex shrink-0 gap-1.5">
          {tool.enabled ? null : <Chip>{words.off}</Chip>}
          {tool.keys?.some(({ kept }) => !kept) ? <Chip tone="bad">{words.secretsMissing}</Chip> : null}
          <TierChip tier={tool.floor} />
        </span>
      </span>
      <span className="mt-0.5 block truncate text-small text-ink-2">
        <Safe text={tool.description} />
      </span>
      {use.calls === 0 ? null : (
        <span className="mt-0.5 flex items-center gap-2 text-small text-ink-3">
          <Sparkline values={use.daily} label={words.perDay(use.daily.join(', '))} />
          {words.used(use.calls, use.medianMs === null ? null : lengthWords(use.medianMs))}
        </span>
      )}
    </Row>
  )
}
