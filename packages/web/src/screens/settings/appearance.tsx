/** How the app looks and which keys it hears, in this browser. Nothing here leaves it. */

import { usePreferences, useServices } from '../../environment/services.tsx'
import { Choice, KeyHint, Sheet, Toggle } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'

export function Appearance() {
  const { preferences } = useServices()
  const { theme, letters } = usePreferences()
  return (
    <section aria-labelledby="appearance">
      <h2 id="appearance" className="mb-3">
        {words.appearance.title}
      </h2>
      <Sheet className="space-y-5">
        <Choice
          label={words.appearance.theme}
          value={theme}
          onChange={(next) => preferences.set({ theme: next })}
          options={[
            { value: 'system', label: words.appearance.themes.system },
            { value: 'light', label: words.appearance.themes.light },
            { value: 'dark', label: words.appearance.themes.dark },
          ]}
        />
        <Toggle
          label={words.appearance.letters}
          hint={<span>{words.appearance.lettersHint(<Letters />)}</span>}
          checked={letters}
          onChange={(next) => preferences.set({ letters: next })}
        />
      </Sheet>
    </section>
  )
}

function Letters() {
  return <KeyHint keys="a" />
}
