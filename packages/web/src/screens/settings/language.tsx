/** In which language the app is, in this browser. */
import { usePreferences, useServices } from '../../environment/services.tsx'
import { Choice, Sheet } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'

export function Language() {
  const { preferences } = useServices()
  const { language } = usePreferences()
  return (
    <Sheet className="space-y-3">
      <Choice
        label={words.language.title}
        value={language}
        onChange={(next) => {
          preferences.set({ language: next })
          // Every file took its words when it was loaded.
          window.location.reload()
        }}
        options={[
          { value: 'browser', label: words.language.browser },
          // A language is called what its speakers call it.
          { value: 'en', label: words.language.english },
          { value: 'de', label: words.language.german },
        ]}
      />
      <p className="text-small text-ink-2">{words.language.about}</p>
    </Sheet>
  )
}
