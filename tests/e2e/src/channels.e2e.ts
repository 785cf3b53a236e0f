/** The Channels screen with a real channel: a bot of Telegram, whose people write to it on a server of our own. */
import { openTelegramPlatform, type TestPlatform } from '@countersign/channels/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { narrow } from './browser.ts'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
let page: Page
let platform: TestPlatform

beforeAll(async () => {
  platform = await openTelegramPlatform()
  scene = await openScene({ script: ({ lastUser }) => ({ text: `You said: ${lastUser}` }) })
  ;({ page } = await scene.enter('/channels'))
})
afterAll(async () => {
  await scene?.close()
  await platform?.close()
})

const dialog = () => page.getByRole('dialog')
const client = () => scene.gateway.client
const notice = (text: string, on = page) =>
  on.getByRole('region', { name: 'Messages from the app' }).getByText(text)
const person = (name: string) => page.getByRole('listitem').filter({ hasText: name })

async function addWith(token: string): Promise<void> {
  await dialog()
    .getByLabel(/The token of the bot/)
    .fill(token)
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
}

/** As it stands in the chat of whoever wrote. */
async function codeShown(chat: 'ana' | 'ben'): Promise<string> {
  const shown = () =>
    platform
      .shown(platform.chats[chat])
      .map(({ text }) => text)
      .join('\n')
  await expect.poll(shown, { timeout: 20_000 }).toMatch(/[A-Z2-9]{4}-[A-Z2-9]{4}/)
  return /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(shown())?.[0] ?? ''
}

async function letIn(code: string, as: RegExp): Promise<void> {
  await page.getByLabel('Code').fill(code.toLowerCase())
  await page.getByRole('radio', { name: as }).check()
  await page.getByRole('button', { name: 'Let in' }).click()
}

test('a channel is added by its steps, and what the platform rejects is put right in the same window', async () => {
  await page.getByText('You can talk to your assistant in a chat').waitFor()
  await page.getByRole('button', { name: 'Add a channel' }).first().click()
  await dialog().getByLabel('Kind').selectOption('telegram')
  await dialog().getByText('@BotFather in Telegram').waitFor()
  await dialog().getByLabel('Name').fill('chat')
  await dialog().getByLabel('apiRoot').fill(String(platform.settings['apiRoot']))
  await addWith('123456:a-token-of-nobody')
  await dialog().getByRole('alert').waitFor()
  expect(await client().channels()).toMatchObject([{ name: 'chat', state: 'rejected' }])
  await addWith(platform.secrets['token'] ?? '')
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'chat' }).waitFor()
  await page.getByText('Connected', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(platform.secrets['token'])
})

test('the person lets themselves in with the code, and a test reaches their chat', async () => {
  await platform.says(platform.people.ana, platform.chats.ana, 'Hello?')
  const code = await codeShown('ana')
  await page.getByText('Somebody asks to be let in').waitFor()
  await letIn('AAAA-AAAA', /^Me /)
  await page.getByText('Nobody who asks now was shown this code.').waitFor()
  await letIn(code, /^Me /)
  await notice('Ana was let in.').waitFor()
  await person('Ana').getByText('You', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send a test line' }).click()
  await notice('The test line was sent.').waitFor()
  await expect
    .poll(() => platform.shown(platform.chats.ana).some(({ text }) => text.includes('This is a test')))
    .toBe(true)
})

test('the log of what was sent is narrowed, and the address says how', async () => {
  const log = page.getByRole('list', { name: 'What was sent' })
  await page.getByLabel('Show', { exact: true }).selectOption('trouble')
  await page.getByText('Nothing of this kind.').waitFor()
  expect(page.url()).toContain('show=trouble')
  await page.getByLabel('Show', { exact: true }).selectOption('sent')
  await log.getByText('Test', { exact: true }).waitFor()
  await page.getByLabel('Show', { exact: true }).selectOption('all')
  expect(page.url()).not.toContain('show=')
})

test('a guest is let in on a phone, limited, and blocked', async () => {
  await platform.says(platform.people.ben, platform.chats.ben, 'May I?')
  const code = await codeShown('ben')
  const hand = await scene.enter('/channels', { ...narrow, touch: true })
  await hand.page.getByLabel('Code').fill(code)
  await hand.page.getByRole('button', { name: 'Let in' }).tap()
  await notice('Ben was let in.', hand.page).waitFor()
  await hand.page.context().close()
  await page.getByRole('button', { name: 'Change Ben' }).click()
  await page.getByRole('menuitem', { name: 'Limits…' }).click()
  await dialog().getByLabel('US dollars a day').fill('much')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('From 0 to 1000').waitFor()
  await dialog().getByLabel('US dollars a day').fill('0.25')
  await dialog().getByLabel('Highest tier').selectOption('1')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await person('Ben').getByText('$0.25 a day').waitFor()
  await page.getByRole('button', { name: 'Change Ben' }).click()
  await page.getByRole('menuitem', { name: 'Block', exact: true }).click()
  await person('Ben').getByText('Blocked').waitFor()
  expect(await client().peers()).toContainEqual(
    expect.objectContaining({ name: 'Ben', state: 'blocked', role: null }),
  )
})

test('it is paused, listens in a group, and is removed with its people', async () => {
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await page.getByText('Connected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Change groups' }).click()
  await dialog().getByLabel('Ids of groups').fill('-1002003004005')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await page.getByText('-1002003004005').waitFor()
  await page.getByRole('switch', { name: 'Decide approvals' }).click()
  await expect
    .poll(() => client().channels())
    .toMatchObject([{ choices: { groups: ['-1002003004005'], approvals: false, notices: true } }])
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click()
  await dialog().getByRole('button', { name: 'Remove' }).click()
  await page.getByText('You can talk to your assistant in a chat').waitFor()
  expect([await client().channels(), await client().peers(), await client().secrets()]).toEqual([[], [], []])
})
