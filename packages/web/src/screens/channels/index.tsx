/** The Channels screen: where people reach the agents from, as the gateway knows it, and what each place may decide. */

import type { DeviceView } from '@countersign/contract'
import { useGateway, useStatus } from '../../environment/queries.ts'
import type { Screen } from '../../environment/screen.ts'
import { ButtonLink, EmptyState, Facts, Loaded, Page, Safe, Section, Table } from '../../kit/index.ts'
import { words } from '../../words/channels.ts'
import { words as deviceWords } from '../../words/devices.tsx'

export const screen: Screen = { component: ChannelsScreen }

function ChannelsScreen() {
  const status = useStatus()
  const devices = useGateway(['devices'], (client) => client.devices())
  return (
    <Page title={words.title} width="reading">
      <EmptyState sentence={words.none} action={<ButtonLink to="/devices">{words.pairPhone}</ButtonLink>} />
      <Section level={2} title={words.connected}>
        <Loaded query={status}>
          {({ clients, push }) => (
            <Facts
              rows={[
                [words.open, words.clients(clients)],
                [words.notified, words.browsers(push)],
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section level={2} title={words.where}>
        <Loaded query={devices}>
          {({ devices: known }) => (
            <Table
              caption={words.caption}
              columns={[
                { title: words.device, cell: ({ name }: DeviceView) => <Safe text={name} /> },
                { title: words.access, cell: ({ reach }: DeviceView) => deviceWords.reach[reach].does },
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
