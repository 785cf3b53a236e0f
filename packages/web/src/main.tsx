/** Starts the app in the language of the browser. */
import './styles.css'
import { speakAs } from './language/speak.ts'

void begin()

async function begin(): Promise<void> {
  await speakAs(navigator.languages, document.documentElement)
  // Only after that: every file takes its words when it is loaded.
  const { start } = await import('./app/start.tsx')
  await start(window)
}
