/** The Channels screen: where people reach the agents from, as the gateway knows it, and what each place may decide. */
import type { DeviceView } from '@countersign/contract'
import type { Screen } from '../../app/destinations.ts'
import { useGateway, useStatus } from '../../data/queries.ts'
import { ButtonLink, EmptyState, Facts, Loaded, Page, Safe, Section, Table } from '../../kit/index.ts'
import { countWords } from '../../language/plural.ts'
import { reachWords } from '../devices/reach.ts'

export const screen: Screen = { component: ChannelsScreen }

function ChannelsScreen() {
  const status = useStatus()
  const devices = useGateway(['devices'], (client) => client.devices())
  return (
    <Page title="Channels" width="reading">
      <EmptyState
        sentence="No chat service is connected. Agents are reached from this app and from the terminal."
        action={<ButtonLink to="/devices">Pair a phone instead</ButtonLink>}
      />
      <Section level={2} title="Connected">
        <Loaded query={status}>
          {({ clients, push }) => (
            <Facts
              rows={[
                ['Open', countWords(clients, 'page or terminal', 'pages and terminals')],
                ['Told by notification', countWords(push, 'browser')],
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section level={2} title="Where decisions are made">
        <Loaded query={devices}>
          {({ devices: known }) => (
            <Table
              caption="What each device may decide"
              columns={[
                { title: 'Device', cell: ({ name }: DeviceView) => <Safe text={name} /> },
                { title: 'It', cell: ({ reach }: DeviceView) => reachWords[reach].does },
              ]}
              rows={known.filter(({ revokedAt }) => revokedAt === null)}
              keyOf={({ id }) => id}
            />
          )}
        </Loaded>
      </Section>
    </Page>
  )
}
