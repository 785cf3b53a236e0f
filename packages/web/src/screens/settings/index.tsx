/** The Settings screen: this browser, the person, the language, their accounts, secrets and data, and which version this is. */

import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Page, Tabs } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'
import { About } from './about.tsx'
import { Accounts } from './accounts/index.tsx'
import { Appearance } from './appearance.tsx'
import { Data } from './data.tsx'
import { Language } from './language.tsx'
import { Notifications } from './notifications.tsx'
import { Programs } from './programs/index.tsx'
import { Secrets } from './secrets/index.tsx'
import { ThisBrowser } from './this-browser.tsx'
import { You } from './you.tsx'

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
          { id: 'you', label: words.tabs.you, content: () => <You /> },
          { id: 'language', label: words.tabs.language, content: () => <Language /> },
          { id: 'accounts', label: words.tabs.accounts, content: () => <Accounts /> },
          { id: 'programs', label: words.tabs.programs, content: () => <Programs /> },
          { id: 'secrets', label: words.tabs.secrets, content: () => <Secrets /> },
          { id: 'data', label: words.tabs.data, content: () => <Data /> },
          { id: 'about', label: words.tabs.about, content: () => <About /> },
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
