/** The Health screen: what its checks find is repaired with a button, and the log and the last days are shown. */
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gatewayKeyPath } from '@countersign/contract/node'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { narrow } from './browser.ts'
import type { PairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
let entered: PairedPage
let page: Page

beforeAll(async () => {
  scene = await openScene()
  await (await scene.tell([{ name: 'calculate', args: { expression: '6*7' } }])).ended()
  chmodSync(gatewayKeyPath(scene.installation.paths), 0o644)
  entered = await scene.enter('/health')
  page = entered.page
})
afterAll(() => scene.close())

/** For whoever looks at what a test saw. */
async function picture(on: Page, name: string): Promise<void> {
  const folder = process.env['COUNTERSIGN_E2E_PICTURES']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await on.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

test('a key that others can read is made private with a button, and the ledger says so', async () => {
  await page.getByText(/others can read/).waitFor()
  await picture(page, 'health-finding')
  await page.getByRole('button', { name: 'Repair: Keys' }).click()
  await page
    .getByText(/^Repaired\. Ledger/)
    .first()
    .waitFor()
  await page.getByText(/others can read/).waitFor({ state: 'detached' })
  expect(statSync(gatewayKeyPath(scene.installation.paths)).mode & 0o777).toBe(0o600)
  const { entries } = await scene.gateway.client.ledger({ limit: 20 })
  expect(entries.map(({ sentence }) => sentence).join('\n')).toContain('repaired what a check found: keys')
})

test('stuck work is looked for on request', async () => {
  await page.getByRole('button', { name: 'Look now' }).click()
  await page.getByText('Nothing is stuck.').waitFor()
})

test('the days are drawn, and the log is shown and filtered', async () => {
  await page
    .getByRole('heading', { name: 'Runs that ended' })
    .or(page.getByText('Runs that ended'))
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Show the log' }).click()
  const log = page.getByRole('list', { name: 'Log' })
  await log.getByText(/ready at/).waitFor()
  await page.getByLabel('Search the log').fill('nothing like that')
  await page.getByText('No line matches.').waitFor()
  await page.getByLabel('Search the log').fill('')
  await picture(page, 'health-log')
})

test.runIf(process.env['COUNTERSIGN_E2E_PICTURES'] !== undefined)('on a phone, in the dark', async () => {
  const phone = await scene.enter('/health', { ...narrow, touch: true, theme: 'dark' })
  await phone.page.getByText('Runs that ended').first().waitFor()
  await picture(phone.page, 'health-phone')
})
