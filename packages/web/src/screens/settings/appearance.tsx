/** How the app looks and which keys it hears, in this browser. Nothing here leaves it. */
import { usePreferences, useServices } from '../../app/services.tsx'
import { Choice, KeyHint, Sheet, Toggle } from '../../kit/index.ts'

export function Appearance() {
  const { preferences } = useServices()
  const { theme, letters } = usePreferences()
  return (
    <section aria-labelledby="appearance">
      <h2 id="appearance" className="mb-3">
        Looks and keys
      </h2>
      <Sheet className="space-y-5">
        <Choice
          label="Theme"
          value={theme}
          onChange={(next) => preferences.set({ theme: next })}
          options={[
            { value: 'system', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
        <Toggle
          label="Single letters act"
          hint={
            <span>
              Such as <Letters /> to approve. They never act while you type. Keys with a modifier always work.
            </span>
          }
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
