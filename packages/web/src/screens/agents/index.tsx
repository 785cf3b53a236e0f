/** The Agents screen: who works for the operator, with which words, model, tools and limits. */
import type { Agent } from '@countersign/contract'
import { Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useKeys } from '../../environment/keys.tsx'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import {
  Button,
  Chip,
  ListDetail,
  Loaded,
  Menu,
  Row,
  Safe,
  useAct,
  useListKeys,
  useNotify,
  useOpened,
} from '../../kit/index.ts'
import { words } from '../../words/agents.tsx'
import { words as common } from '../../words/common.ts'
import { AddAgentDialog } from './agent-dialogs.tsx'
import { AgentPage } from './agent-page.tsx'
import { AgentTabs } from './tabs.tsx'
import { TeamsPage } from './teams.tsx'

export const screen: Screen = { component: AgentsScreen }

function AgentsScreen() {
  const route = useRoute()
  const [chosen = null] = route.parts
  const agents = useGateway(['agents'], (client) => client.agents(), { everyMs: 60_000 })
  return chosen === 'teams' ? (
    <TeamsPage agents={agents.data ?? []} />
  ) : (
    <Agents agents={agents} chosen={chosen} />
  )
}

function Agents({
  agents,
  chosen,
}: {
  agents: ReturnType<typeof useGateway<Agent[]>>
  chosen: string | null
}) {
  const route = useRoute()
  const [adding, setAdding] = useState(false)
  const rows = agents.data ?? []
  const ids = rows.map(({ id }) => id)
  const opened = useOpened(ids, chosen)
  const current = rows.find(({ id }) => id === opened)
  useKeys(words.title, [{ keys: 'n', label: words.actions.add, run: () => setAdding(true) }])
  useAskedFor('add', () => setAdding(true))
  useListKeys(words.title, {
    ids,
    current: opened,
    onMove: (id) => route.go(route.href([id]), { replace: true }),
    onBack: () => route.go(route.base),
  })
  return (
    <>
      <ListDetail
        title={words.title}
        note={agents.data === undefined ? undefined : words.count(rows.length)}
        backTo={route.base}
        detailTitle={current?.name}
        tools={<Tools onAdd={() => setAdding(true)} />}
        list={
          <Loaded query={agents}>
            {(all) =>
              all.map((agent) => (
                <AgentRow
                  key={agent.id}
                  agent={agent}
                  to={route.href([agent.id])}
                  current={agent.id === opened}
                />
              ))
            }
          </Loaded>
        }
        detail={
          current === undefined ? null : (
            // What was saved elsewhere is shown anew.
            <AgentPage key={`${current.id} ${current.updatedAt ?? ''}`} agent={current} agents={rows} />
          )
        }
      />
      {adding ? <AddAgentDialog agents={rows} onClose={() => setAdding(false)} /> : null}
    </>
  )
}

function Tools({ onAdd }: { onAdd: () => void }) {
  const notify = useNotify()
  const { act } = useAct([['agents']])
  const resync = () =>
    void act(async (client) => {
      const { added, updated, kept } = await client.resyncAgents()
      notify({ text: words.said.resynced(added.length + updated.length, kept.length) })
    })
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <AgentTabs current="agents" />
      <span className="flex gap-1">
        <Button size="small" icon={Plus} keys="n" onClick={onAdd} className="whitespace-nowrap">
          {words.actions.add}
        </Button>
        <Menu label={common.more} items={[{ label: words.actions.resync, icon: RefreshCw, run: resync }]} />
      </span>
    </div>
  )
}

function AgentRow({ agent, to, current }: { agent: Agent; to: string; current: boolean }) {
  return (
    <Row to={to} current={current}>
      <span className="flex items-baseline gap-2">
        <Safe text={agent.name} className="min-w-0 flex-1 font-medium" />
        {agent.isDefault ? <Chip tone="ok">{words.chips.default}</Chip> : null}
        {agent.enabled ? null : <Chip>{words.chips.off}</Chip>}
      </span>
      <span className="block truncate text-small text-ink-2">
        <Safe text={agent.description === '' ? words.kinds[agent.kind] : agent.description} />
      </span>
    </Row>
  )
}
