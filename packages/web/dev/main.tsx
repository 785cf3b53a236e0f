/**
 * The app on scripted data, without a gateway: open /dev/?at=/approvals. `link=offline`, `paused=1`, `empty=1`, `dir=rtl`
 * and `slow=1` show the other states.
 */
import '../src/styles.css'
import { createRoot } from 'react-dom/client'
import { createApp } from '../src/app/create-app.tsx'
import { memoryHistory } from '../src/app/route/history.ts'
import { scriptedServices } from './services.ts'

const asked = new URLSearchParams(window.location.search)
if (asked.get('dir') === 'rtl') document.documentElement.dir = 'rtl'

const services = scriptedServices({
  link: asked.get('link') ?? 'live',
  isPaused: asked.has('paused'),
  isEmpty: asked.has('empty'),
  isSlow: asked.has('slow'),
})
const app = createApp(services, memoryHistory(asked.get('at') ?? '/'))
const place = document.getElementById('app')
if (place === null) throw new Error('The page has no place for the app.')
createRoot(place).render(app.element)
app.start()
