/** The app on scripted data: what is asked for in the address says which state it is in. */
import { createRoot } from 'react-dom/client'
import { createApp } from '../src/app/create-app.tsx'
import { memoryHistory } from '../src/environment/history.ts'
import { scriptedServices } from './services.ts'

export function show(asked: URLSearchParams): void {
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
}
