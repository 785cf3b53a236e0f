/** Owns the list of every place in the app, and how one knows that it is there. */
import type { Page } from 'playwright-core'
import { until } from './until.ts'

export const screens = [
  { name: 'today', path: '/' },
  { name: 'chat', path: '/chat' },
  { name: 'goals', path: '/goals' },
  { name: 'automations', path: '/automations' },
  { name: 'agents', path: '/agents' },
  { name: 'approvals', path: '/approvals' },
  { name: 'activity', path: '/activity' },
  { name: 'ledger', path: '/ledger' },
  { name: 'policy', path: '/policy' },
  { name: 'costs', path: '/costs' },
  { name: 'library', path: '/library' },
  { name: 'files', path: '/files' },
  { name: 'memory', path: '/memory' },
  { name: 'models', path: '/models' },
  { name: 'tools', path: '/tools' },
  { name: 'channels', path: '/channels' },
  { name: 'extensions', path: '/extensions' },
  { name: 'devices', path: '/devices' },
  { name: 'health', path: '/health' },
  { name: 'settings', path: '/settings' },
  { name: 'setup', path: '/setup' },
] as const

export type ScreenName = (typeof screens)[number]['name']

/** Its heading is there, and nothing on it says that it is still loading. */
export async function hasSettled(page: Page, { loading = false } = {}): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  if (loading) return
  const loadingNotes = page.locator('main [role=status]', { hasText: /^(Loading|Wird geladen)/ })
  await until(async () => (await loadingNotes.count()) === 0, { what: `${page.url()} to have loaded` })
}
