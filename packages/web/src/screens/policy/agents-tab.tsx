/** What each agent can do without asking: by the level, by rules, and by the grants that hold for it. */
import type { Agent, WhatCan } from '@countersign/contract'
import { usePlace } from '../../app/place.ts'
import { useGateway } from '../../data/queries.ts'
import { Chip, Facts, Loaded, Mono, Safe, Section, Select, Sheet } from '../../kit/index.ts'
import { countWords } from '../../language/plural.ts'
import { GrantLines } from './grant-lines.tsx'
import { FreeList, RuleTable } from './rule-lists.tsx'

export function AgentsTab() {
  const place = usePlace()
  const chosen = place.parts[1] ?? ''
  const agents = useGateway(['agents'], (client) => client.agents())
  const whatCan = useGateway(['grants', 'what-can', chosen === '' ? null : chosen], (client) =>
    client.whatCan(chosen === '' ? undefined : chosen),
  )
  const agent = agents.data?.find(({ id }) => id === chosen)
  return (
    <>
      <h2 className="sr-only">What each agent can do</h2>
      <div className="mb-4 max-w-xs">
        <Select
          label="Agent"
          value={chosen}
          options={[
            ['', 'Every agent'],
            ...(agents.data ?? []).map(({ id, name }): [string, string] => [id, name]),
            // The address may name one that is not listed.
            ...(chosen !== '' && agents.data !== undefined && agent === undefined
              ? [[chosen, chosen] as [string, string]]
              : []),
          ]}
          onChange={(event) =>
            place.go(place.href(['agents', ...(event.target.value === '' ? [] : [event.target.value])]), {
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
  const named = [...agent.toolGroups.map((group) => `all of ${group}`), ...agent.tools]
  return (
    <Sheet className="mb-4">
      <p className="flex flex-wrap items-center gap-2">
        <strong className="font-medium">
          <Safe text={agent.name} />
        </strong>
        {agent.isDefault ? <Chip>answers where nobody is named</Chip> : null}
        {agent.enabled ? null : <Chip tone="waiting">switched off</Chip>}
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
            'Tools',
            named.length === 0 ? 'every tool that its kind may have' : <Safe text={named.join(', ')} />,
          ],
          [
            'Data',
            agent.dataAccess === undefined
              ? 'all of it'
              : agent.dataAccess.length === 0
                ? 'none'
                : agent.dataAccess.join(', '),
          ],
          ['Model', <Mono key="model" text={agent.model} />],
        ]}
      />
    </Sheet>
  )
}

function Can({ whatCan }: { whatCan: WhatCan }) {
  const { autonomy, free, rules, grants, passkeyTools } = whatCan
  return (
    <>
      <Section title={`Free at level ${autonomy}`} className="mt-0!">
        <FreeList free={free} />
      </Section>
      <Section title="Your rules">
        <RuleTable rules={rules} />
      </Section>
      <Section title="Grants that hold here" aside={countWords(grants.length, 'grant')}>
        {grants.length === 0 ? (
          <p className="text-ink-2">None. What the level and your rules do not let through asks you.</p>
        ) : (
          <GrantLines grants={grants} />
        )}
      </Section>
      <Section title="Whatever the rest says">
        <ul className="list-disc space-y-0.5 ps-5 text-ink-2">
          <li>What others see or what is hard to undo (T3) asks, and a device of yours seals it.</li>
          <li>What is critical (T4) asks, and needs your passkey.</li>
          {passkeyTools.length === 0 ? null : (
            <li>
              Every call of <Safe text={passkeyTools.join(', ')} /> needs your passkey.
            </li>
          )}
        </ul>
      </Section>
    </>
  )
}
