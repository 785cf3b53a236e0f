/** The Policy screen: what is in force and since when, drafts tried on past calls, and what was given in advance. */

import { useGateway, useGrants } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Loaded, Page, StaleNote, Tabs, useNow } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { AgentsTab } from './agents-tab.tsx'
import { EditTab } from './edit-tab.tsx'
import { grantCounts } from './grants.ts'
import { GrantsTab } from './grants-tab.tsx'
import { InForceTab } from './in-force-tab.tsx'
import { PolicyDraftProvider } from './policy-draft.tsx'
import { SimulateTab } from './simulate-tab.tsx'
import { VersionsTab } from './versions-tab.tsx'

export const screen: Screen = { component: PolicyScreen }

const tabIds = ['in-force', 'edit', 'simulate', 'versions', 'grants', 'agents'] as const

function PolicyScreen() {
  const route = useRoute()
  const policy = useGateway(['policy'], (client) => client.policy())
  const current = tabIds.find((id) => id === route.parts[0]) ?? 'in-force'
  return (
    <Page title={words.title} note={words.note}>
      <StaleNote at={null} className="mb-3" />
      <Loaded query={policy}>
        {(view) => (
          <PolicyDraftProvider view={view}>
            <PolicyTabs
              current={current}
              onChange={(id) => route.go(route.href(id === 'in-force' ? [] : [id]))}
            />
          </PolicyDraftProvider>
        )}
      </Loaded>
    </Page>
  )
}

function PolicyTabs({ current, onChange }: { current: string; onChange: (id: string) => void }) {
  const now = useNow(60_000)
  const grants = useGrants()
  const active = grants.data === undefined ? undefined : grantCounts(grants.data, now).active
  return (
    <Tabs
      label={words.title}
      current={current}
      onChange={onChange}
      tabs={[
        { id: 'in-force', label: words.tabs.inForce, content: () => <InForceTab /> },
        { id: 'edit', label: words.tabs.edit, content: () => <EditTab /> },
        { id: 'simulate', label: words.tabs.simulate, content: () => <SimulateTab /> },
        { id: 'versions', label: words.tabs.versions, content: () => <VersionsTab /> },
        {
          id: 'grants',
          label: words.tabs.grants,
          ...(active === undefined ? {} : { count: active }),
          content: () => <GrantsTab />,
        },
        { id: 'agents', label: words.tabs.agents, content: () => <AgentsTab /> },
      ]}
    />
  )
}
