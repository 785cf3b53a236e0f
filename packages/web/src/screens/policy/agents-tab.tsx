/** What each agent can do without asking: by the level, by rules, and by the grants that hold for it. */

import type { Agent, WhatCan } from '@countersign/contract'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import { Chip, Facts, Loaded, Mono, Safe, Section, Select, Sheet } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { GrantLines } from './grant-lines.tsx'
import { FreeList, RuleTable } from './rule-lists.tsx'

export function AgentsTab() {
  const route = useRoute()
  const chosen = route.parts[1] ?? ''
  const agents = useGateway(['agents'], (client) => client.agents())
  const whatCan = useGateway(['grants', 'what-can', chosen === '' ? null : chosen], (client) =>
    client.whatCan(chosen === '' ? undefined : chosen),
  )
  const agent = agents.data?.find(({ id }) => id === chosen)
  return (
    <>
      <h2 className="sr-only">{words.tabs.agents}</h2>
      <div className="mb-4 max-w-xs">
        <Select
          label={words.agents.agent}
          value={chosen}
          options={[
            ['', words.agents.every],
            ...(agents.data ?? []).map(({ id, name }): [string, string] => [id, name]),
            // The address may name one that is not listed.
            ...(chosen !== '' && agents.data !== undefined && agent === undefined
              ? [[chosen, chosen] as [string, string]]
              : []),
          ]}
          onChange={(event) =>
            route.go(route.href(['agents', ...(event.target.value === '' ? [] : [event.target.value])]), {
              replace: true,
            })
          }
        />
      </div>
      {agent === undefined ? null : <About agent={agent} />}
      <Loaded query={whatCan}>{(data) => <Can whatCan={data} />}</Loaded>
    </>
  )
}

function About({ agent }: { agent: Agent }) {
  const named = [...agent.toolGroups.map((group) => words.agents.allOf(group)), ...agent.tools]
  return (
    <Sheet className="mb-4">
      <p className="flex flex-wrap items-center gap-2">
        <strong className="font-medium">
          <Safe text={agent.name} />
        </strong>
        {agent.isDefault ? <Chip>{words.agents.isDefault}</Chip> : null}
        {agent.enabled ? null : <Chip tone="waiting">{words.agents.off}</Chip>}
      </p>
      {agent.description === '' ? null : (
        <p className="text-ink-2">
          <Safe text={agent.description} />
        </p>
      )}
      <Facts
        className="mt-2"
        rows={[
          [
            words.agents.tools,
            named.length === 0 ? words.agents.everyTool : <Safe text={named.join(', ')} />,
          ],
          [
            words.agents.data,
            agent.dataAccess === undefined
              ? words.agents.allData
              : agent.dataAccess.length === 0
                ? words.agents.noData
                : agent.dataAccess.join(', '),
          ],
          [words.agents.model, <Mono key="model" text={agent.model} />],
        ]}
      />
    </Sheet>
  )
}

function Can({ whatCan }: { whatCan: WhatCan }) {
  const { autonomy, free, rules, grants, passkeyTools } = whatCan
  return (
    <>
      <Section title={words.agents.free(autonomy)} className="mt-0!">
        <FreeList free={free} />
      </Section>
      <Section title={words.agents.rules}>
        <RuleTable rules={rules} />
      </Section>
      <Section title={words.agents.grants} aside={words.grantCount(grants.length)}>
        {grants.length === 0 ? (
          <p className="text-ink-2">{words.agents.noGrants}</p>
        ) : (
          <GrantLines grants={grants} />
        )}
      </Section>
      <Section title={words.agents.always}>
        <ul className="list-disc space-y-0.5 ps-5 text-ink-2">
          <li>{words.agents.t3}</li>
          <li>{words.agents.t4}</li>
          {passkeyTools.length === 0 ? null : (
            <li>{words.agents.passkeyTools(<Safe text={passkeyTools.join(', ')} />)}</li>
          )}
        </ul>
      </Section>
    </>
  )
}
