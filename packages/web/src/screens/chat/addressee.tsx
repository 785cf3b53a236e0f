/** To whom a new conversation goes: the usual assistant, another agent, a team, or a goal. */

import type { Addressee } from '@countersign/contract'
import { useGateway } from '../../environment/queries.ts'
import { Select } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'

type Kind = 'agent' | 'team' | 'goal'

export function AddresseeChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const agents = useGateway(['agents'], (client) => client.agents())
  const teams = useGateway(['agents', 'teams'], (client) => client.agentTeams())
  const goals = useGateway(['goals', 'open'], (client) => client.goals({}))
  const option = (kind: Kind, id: string, name: string) => [`${kind}:${id}`, words.to[kind](name)] as const
  return (
    <Select
      label={words.to.label}
      hideLabel
      className="max-w-56 truncate border-transparent bg-transparent text-small"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={[
        ['', words.to.usual],
        ...(agents.data ?? []).map(({ id, name }) => option('agent', id, name)),
        ...(teams.data ?? []).map(({ id, name }) => option('team', id, name)),
        ...(goals.data ?? []).map(({ id, title }) => option('goal', id, title)),
      ]}
    />
  )
}

export function addresseeOf(value: string): Addressee {
  const [kind, ...rest] = value.split(':')
  const id = rest.join(':')
  return id === '' ? {} : { [kind as Kind]: id }
}
