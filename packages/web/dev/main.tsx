/**
 * The app on scripted data, without a gateway: open /dev/?at=/approvals. `link=offline`, `paused=1`, `empty=1`, `dir=rtl`
 * and `slow=1` show the other states, `lang=de` another language.
 */
import '../src/styles.css'
import { speakAs } from '../src/language/speak.ts'

void begin(new URLSearchParams(window.location.search))

async function begin(asked: URLSearchParams): Promise<void> {
  await speakAs([asked.get('lang') ?? 'en'], document.documentElement)
  const { show } = await import('./app.tsx')
  show(asked)
}
