/** The app in another language: chosen by the browser, whole, and no wider than the screen. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { narrow } from './browser.ts'
import type { PairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'
import { hasSettled, screens } from './screens.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

describe('in German', () => {
  let entered: PairedPage
  beforeAll(async () => {
    entered = await scene.enter('/approvals', { ...narrow, locale: 'de-AT' })
  })

  test('a request is read and approved', async () => {
    const path = join(scene.installation.home, 'a.txt')
    const errand = await scene.tell([{ name: 'read_file', args: { path } }])
    const [approval] = await errand.waiting()
    const { page } = entered
    await page.goto(entered.at(`/approvals/${approval?.code ?? ''}`))
    await page.getByRole('heading', { name: 'Was genau ausgeführt wird' }).waitFor()
    await page.locator('button:not([aria-disabled])', { hasText: 'Einmal freigeben' }).click()
    await errand.ended()
    expect(approval && (await scene.gateway.client.approval(approval.id)).approval.state).toBe('approved')
  })

  test.each(screens)('$name fits a phone', async ({ path }) => {
    const { page } = entered
    await page.goto(entered.at(path))
    await hasSettled(page)
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(narrow.width)
  })
})

test('a browser whose language the app does not have gets English', async () => {
  const { page } = await scene.enter('/settings', { locale: 'fr-FR' })
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('en')
})
