/** The palette and the settings, in a real browser against a real gateway: what is typed is found, done, or asked. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialogHears } from './dialog.ts'
import { isLive, type PairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
let entered: PairedPage
let page: Page

beforeAll(async () => {
  scene = await openScene()
  entered = await scene.enter('/costs')
  page = entered.page
})
afterAll(() => scene.close())

const at = () => new URL(page.url()).pathname + new URL(page.url()).search

const field = () => page.getByRole('combobox', { name: 'Search for a page' })

/** What a test before has left open is closed. */
async function type(text: string): Promise<void> {
  await page.goto(entered.at('/costs'))
  await isLive(page)
  await page.keyboard.press('Control+k')
  await field().fill(text)
}

describe('the palette', () => {
  test('has room for every destination in a window of 900 pixels', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const isWhole = 'nav[aria-label="Main"] > div:nth-child(2)'
    const [shown, needed] = await page
      .locator(isWhole)
      .evaluate((list) => [list.clientHeight, list.scrollHeight] as const)
    expect(needed).toBeLessThanOrEqual(shown)
  })

  test.each([
    ['secret', 'Add a secret', '/settings/secrets'],
    ['imap', 'Add an e-mail account', '/settings/accounts'],
    ['caldav', 'Add a calendar account', '/settings/accounts'],
    ['budget', 'Set a cost limit', '/costs'],
    ['add goal', 'Add a goal', '/goals'],
    ['api key', 'Add a model provider', '/models'],
    ['verify', 'Verify the ledger', '/ledger'],
  ])('%s opens the window that does it, once', async (query, label, path) => {
    await type(query)
    await page.getByRole('option', { name: label }).first().click()
    // The palette is a window too, and goes as the other comes.
    await field().waitFor({ state: 'detached' })
    await dialogHears(page)
    await expect.poll(at).toBe(path)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('finds a thing that no page has shown yet', async () => {
    const { goal } = await scene.gateway.client.addGoal({ title: 'Paint the fence' })
    await type('fence')
    await page.getByRole('option', { name: 'Paint the fence' }).click()
    await expect.poll(at).toBe(`/goals/${goal.id}`)
  })

  test('says that nothing was found, and asks the assistant', async () => {
    await type('qqzzy?')
    await page.getByText('No results.').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(at).toMatch(/^\/chat\/ses/)
    await page.getByText('qqzzy?').first().waitFor()
  })
})

describe('settings', () => {
  test('a name is kept, and stands on the rail', async () => {
    await page.goto(entered.at('/settings/you'))
    await page.getByLabel('Your name').fill('Mira')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByRole('navigation', { name: 'Main' }).getByText('Mira').waitFor()
    expect((await scene.gateway.client.profile()).profile.name).toBe('Mira')
  })

  test('the ledger is exported', async () => {
    await page.goto(entered.at('/settings/data'))
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export the ledger' }).click()
    expect((await download).suggestedFilename()).toBe('ledger.jsonl')
  })

  test('the language is chosen, and chosen back', async () => {
    await page.goto(entered.at('/settings/language'))
    await page.getByRole('radio', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor()
    await page.getByRole('radio', { name: 'English' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  })
})
