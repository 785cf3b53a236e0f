/** The Channels screen: where people reach the agents from outside, and what each place may decide. */
import type { Screen } from '../../app/destinations.ts'
import { ButtonLink, EmptyState, Page, Section, Table } from '../../kit/index.ts'

export const screen: Screen = { component: ChannelsScreen }

const surfaces = [
  { name: 'This app', approves: 'everything; critical calls with a passkey', stops: 'yes' },
  { name: 'Terminal on the host', approves: 'up to outward; critical calls with a passkey', stops: 'yes' },
  { name: 'A paired device', approves: 'as far as its reach goes', stops: 'yes' },
] as const

function ChannelsScreen() {
  return (
    <Page title="Channels" width="reading">
      <EmptyState
        sentence="No channel is connected. Agents are reached from this app and from the terminal only."
        action={<ButtonLink to="/devices">Pair a phone instead</ButtonLink>}
      />
      <Section level={2} title="Where decisions are made now">
        <Table
          caption="What each place may decide"
          columns={[
            { title: 'Place', cell: ({ name }) => name },
            { title: 'May approve', cell: ({ approves }) => approves },
            { title: 'May stop', cell: ({ stops }) => stops, wide: true },
          ]}
          rows={surfaces}
          keyOf={({ name }) => name}
        />
      </Section>
    </Page>
  )
}
