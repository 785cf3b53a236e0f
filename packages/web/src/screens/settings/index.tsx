/** The Settings screen: how this browser looks and listens, what it is called, how it leaves; and the secrets. */

import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Page, Tabs } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'
import { Appearance } from './appearance.tsx'
import { Notifications } from './notifications.tsx'
import { Secrets } from './secrets/index.tsx'
import { ThisBrowser } from './this-browser.tsx'

export const screen: Screen = { component: SettingsScreen }

function SettingsScreen() {
  const route = useRoute()
  const [current = 'browser'] = route.parts
  return (
    <Page title={words.title} width="reading">
      <Tabs
        label={words.title}
        current={current}
        onChange={(id) => route.go(route.href(id === 'browser' ? [] : [id]), { replace: true })}
        tabs={[
          { id: 'browser', label: words.tabs.browser, content: () => <Browser /> },
          { id: 'secrets', label: words.tabs.secrets, content: () => <Secrets /> },
        ]}
      />
    </Page>
  )
}

function Browser() {
  return (
    <div className="space-y-8">
      <Appearance />
      <Notifications />
      <ThisBrowser />
    </div>
  )
}
