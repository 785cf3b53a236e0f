/** From an empty home to the first approved action, as somebody does it who has just installed it. */
import { openTelegramPlatform } from '@countersign/channels/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAuthenticator } from './browser.ts'
import type { PairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'

const mostTyped = 3

let scene: Scene
let entered: PairedPage
let page: Page

beforeAll(async () => {
  // No model is set up, and none is found: the demo answers.
  scene = await openScene({
    environment: { COUNTERSIGN_MODEL: '', COUNTERSIGN_MODEL_URL: '', COUNTERSIGN_MODEL_KEY: '' },
  })
  entered = await scene.enter('/')
  page = entered.page
})
afterAll(() => scene.close())

test(`takes at most ${String(mostTyped)} typed inputs`, { timeout: 300_000 }, async () => {
  const began = Date.now()
  await addAuthenticator(page)
  await page.getByRole('link', { name: 'Continue' }).click()
  await countTyping(page)

  await step('Check this computer')
  await go('Continue')

  await step('You')
  await page.getByRole('textbox').pressSequentially('Mira')
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.getByText('A passkey is registered.').waitFor()
  await go('Continue')

  await step('Model')
  await page.getByRole('radio', { name: /Try without a model/ }).check()
  await go('Test it')
  await page.getByText(/answers$/).waitFor()
  await go('Continue')

  await step('Safety')
  await go('Continue')

  await step('First action')
  await go('Start')
  await page.locator('button:not([aria-disabled])', { hasText: /^Approve once/ }).click()
  await page.getByRole('heading', { name: 'You approved it, and it is done' }).waitFor()

  const typed = await page.evaluate<number>('window.typedInto.size')
  const ledger = await new Response(await scene.gateway.client.exportLedger()).text()
  expect(ledger).toContain('"approval.decided"')
  expect(typed).toBeLessThanOrEqual(mostTyped)
  console.log(`${String(typed)} typed inputs, ${((Date.now() - began) / 1_000).toFixed(0)} s`)
})

test('says nothing of the last model once another is chosen', async () => {
  await page.goto(new URL('/setup/model', page.url()).href)
  await page.getByRole('radio', { name: /Paste a key/ }).check()
  await page.getByLabel('Address').fill('http://127.0.0.1:9/v1')
  await go('Test it')
  const problem = page.getByRole('alert').filter({ hasText: /\S/ })
  await problem.waitFor()
  await page.getByRole('radio', { name: /Try without a model/ }).check()
  await problem.waitFor({ state: 'detached' })
})

test('goes past “Reach me” at a key, and ends it with a message that arrived', async () => {
  const { client } = scene.gateway
  const platform = await openTelegramPlatform()
  try {
    const reach = async () => (await client.onboarding()).steps.find(({ id }) => id === 'reach')
    await page.goto(new URL('/setup/reach', page.url()).href)
    await step('Reach me')
    await page.keyboard.press('Control+Enter')
    await step('Keep running')
    expect(await reach()).toMatchObject({ state: 'done', data: { arrived: null } })
    await page.goto(new URL('/setup/reach', page.url()).href)
    await page.getByRole('button', { name: 'Add a chat' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('apiRoot').fill(String(platform.settings['apiRoot']))
    await dialog.getByLabel(/The token of the bot/).fill(platform.secrets['token'] ?? '')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('from your own account').waitFor()
    await platform.says(platform.people.ana, platform.chats.ana, 'Hello?')
    const shown = () =>
      platform
        .shown(platform.chats.ana)
        .map(({ text }) => text)
        .join('\n')
    await expect.poll(shown, { timeout: 20_000 }).toMatch(code)
    await page.getByLabel('Code').fill(code.exec(shown())?.[0] ?? '')
    await page.getByRole('button', { name: 'Let me in' }).click()
    const chats = page.getByRole('region', { name: 'Chats' })
    await chats.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('Did it arrive?').waitFor()
    expect(shown()).toContain('This is a test')
    await page.getByRole('button', { name: 'Yes, it arrived' }).click()
    await step('Keep running')
    expect(await reach()).toMatchObject({
      state: 'done',
      data: { arrived: { kind: 'channel', name: 'telegram' } },
    })
  } finally {
    await platform.close()
  }
})

const code = /[A-Z2-9]{4}-[A-Z2-9]{4}/

async function step(title: string): Promise<void> {
  await page.getByRole('heading', { level: 2, name: title }).waitFor()
}

async function go(label: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${label}`) }).click()
}

/** The fields that somebody has typed into. The setup is one page, so this lasts. */
async function countTyping(on: Page): Promise<void> {
  await on.evaluate(`{
    window.typedInto = new Set()
    document.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !['radio', 'checkbox', 'range'].includes(target.type)))
        window.typedInto.add(target.id || target.name)
    }, true)
  }`)
}
