/** Starts the app in the language that the person chose, or of the browser. */
import './styles.css'
import { createPreferences } from './environment/preferences.ts'
import { wantedLanguages } from './language/choose-language.ts'
import { speakAs } from './language/speak.ts'

void begin()

async function begin(): Promise<void> {
  const { language } = createPreferences(window.localStorage).get()
  await speakAs(wantedLanguages(language, navigator.languages), document.documentElement)
  // Only after that: every file takes its words when it is loaded.
  const { start } = await import('./app/start.tsx')
  await start(window)
}
