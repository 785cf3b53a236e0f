/** The Policy screen: what may act without asking, on whose word, and how that ends. */
import type { Screen } from '../../app/destinations.ts'
import { usePlace } from '../../app/place.ts'
import { useGrants } from '../../data/queries.ts'
import { Page, StaleNote, Tabs, useNow } from '../../kit/index.ts'
import { AgentsTab } from './agents-tab.tsx'
import { grantCounts } from './grants.ts'
import { GrantsTab } from './grants-tab.tsx'
import { PasskeysTab } from './passkeys-tab.tsx'
import { RulesTab } from './rules-tab.tsx'

export const screen: Screen = { component: PolicyScreen }

const tabIds = ['grants', 'agents', 'rules', 'passkeys'] as const

function PolicyScreen() {
  const place = usePlace()
  const now = useNow(60_000)
  const grants = useGrants()
  const current = tabIds.find((id) => id === place.parts[0]) ?? 'grants'
  const active = grants.data === undefined ? undefined : grantCounts(grants.data, now).active
  return (
    <Page title="Policy" note="what may happen without asking you">
      <StaleNote at={null} className="mb-3" />
      <Tabs
        label="Policy"
        current={current}
        onChange={(id) => place.go(place.href(id === 'grants' ? [] : [id]))}
        tabs={[
          {
            id: 'grants',
            label: 'What may run without asking',
            ...(active === undefined ? {} : { count: active }),
            content: () => <GrantsTab />,
          },
          { id: 'agents', label: 'What each agent can do', content: () => <AgentsTab /> },
          { id: 'rules', label: 'Rules', content: () => <RulesTab /> },
          { id: 'passkeys', label: 'Passkey tools', content: () => <PasskeysTab /> },
        ]}
      />
    </Page>
  )
}
