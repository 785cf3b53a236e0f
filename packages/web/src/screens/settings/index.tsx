/** The Settings screen: how this browser looks and listens, what it is called, and how it leaves. */

import type { Screen } from '../../environment/screen.ts'
import { Page } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'
import { Appearance } from './appearance.tsx'
import { Notifications } from './notifications.tsx'
import { ThisBrowser } from './this-browser.tsx'

export const screen: Screen = { component: SettingsScreen }

function SettingsScreen() {
  return (
    <Page title={words.title} note={words.note} width="reading">
      <div className="space-y-8">
        <Appearance />
        <Notifications />
        <ThisBrowser />
      </div>
    </Page>
  )
}
