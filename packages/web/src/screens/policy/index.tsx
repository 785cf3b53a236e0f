/** The Policy screen: what may act without asking, on whose word, and how that ends. */

import { useGrants } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Page, StaleNote, Tabs, useNow } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { AgentsTab } from './agents-tab.tsx'
import { grantCounts } from './grants.ts'
import { GrantsTab } from './grants-tab.tsx'
import { PasskeysTab } from './passkeys-tab.tsx'
import { RulesTab } from './rules-tab.tsx'

export const screen: Screen = { component: PolicyScreen }

const tabIds = ['grants', 'agents', 'rules', 'passkeys'] as const

function PolicyScreen() {
  const route = useRoute()
  const now = useNow(60_000)
  const grants = useGrants()
  const current = tabIds.find((id) => id === route.parts[0]) ?? 'grants'
  const active = grants.data === undefined ? undefined : grantCounts(grants.data, now).active
  return (
    <Page title={words.title} note={words.note}>
      <StaleNote at={null} className="mb-3" />
      <Tabs
        label={words.title}
        current={current}
        onChange={(id) => route.go(route.href(id === 'grants' ? [] : [id]))}
        tabs={[
          {
            id: 'grants',
            label: words.tabs.grants,
            ...(active === undefined ? {} : { count: active }),
            content: () => <GrantsTab />,
          },
          { id: 'agents', label: words.tabs.agents, content: () => <AgentsTab /> },
          { id: 'rules', label: words.tabs.rules, content: () => <RulesTab /> },
          { id: 'passkeys', label: words.tabs.passkeys, content: () => <PasskeysTab /> },
        ]}
      />
    </Page>
  )
}
