/** Automations as a person makes and watches them. */
import { approve } from '@countersign/harness'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { narrow } from './browser.ts'
import { dialogHears } from './dialog.ts'
import { type Keyboard, keyboardOf } from './keyboard.ts'
import { openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let page: Page
let keys: Keyboard

beforeAll(async () => {
  scene = await openScene()
  page = (await scene.enter('/automations')).page
  keys = keyboardOf(page)
})
afterAll(() => scene.close())

const schedule = async (name: string) =>
  (await scene.gateway.client.schedules()).find((each) => each.name === name)
const dialogGone = () => page.getByRole('dialog').waitFor({ state: 'detached' })

async function choose(item: string): Promise<void> {
  await page.getByRole('button', { name: /^More/ }).last().click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('is made from a sentence, which says how it is understood, by the keyboard', async () => {
  await page.getByText('Nothing runs on its own').waitFor()
  await keys.press('n')
  await page.getByRole('dialog').waitFor()
  const sentence = page.getByLabel('When, and what?')
  await sentence.fill('sometimes send me a brief')
  await keys.press('Control+Enter')
  await page.getByText(/The time is not clear/).waitFor()
  await sentence.fill('every weekday 8:00 send me a brief')
  await page.getByText(/^Weekdays 08:00/).waitFor()
  await page.getByLabel('Name').fill('Brief')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Tokyo')
  await page.getByText('Weekdays 08:00 Asia/Tokyo').waitFor()
  await keys.press('Control+Enter')
  await dialogGone()
  expect(await schedule('Brief')).toMatchObject({
    trigger: { kind: 'cron', expression: '0 8 * * 1-5', zone: 'Asia/Tokyo' },
    does: { kind: 'prompt', text: 'send me a brief' },
    maxCostUsd: 0.05,
    tierMax: 1,
    status: 'active',
  })
  await page.getByRole('heading', { level: 2, name: 'Brief' }).waitFor()
})

test('needs money to start, which is set where that is said', async () => {
  await page.getByRole('button', { name: 'Set an amount' }).click()
  await page.getByLabel('Dollars a month').fill('3')
  await keys.press('Enter')
  await dialogGone()
  const budgets = await scene.gateway.client.budgets()
  expect(budgets).toContainEqual(expect.objectContaining({ scope: 'unattended', limitUsd: 3 }))
  await page.getByRole('button', { name: 'Set an amount' }).waitFor({ state: 'detached' })
})

test('is edited: when, what, how much and how far', async () => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const window = page.getByRole('dialog')
  await window.getByLabel('Cron expression').fill('61 8 * * *')
  await keys.press('Control+Enter')
  await page.getByText('Write five fields, such as 0 8 * * 1-5.').waitFor()
  await window.getByLabel('Cron expression').fill('30 7 * * 1-5')
  await window.getByLabel('What the assistant should do').fill('Say what is due.')
  await window.getByLabel('The most it may do').selectOption('0')
  await keys.press('Control+Enter')
  await dialogGone()
  expect(await schedule('Brief')).toMatchObject({
    trigger: { expression: '30 7 * * 1-5', zone: 'Asia/Tokyo' },
    does: { text: 'Say what is due.' },
    tierMax: 0,
    version: 2,
  })
})

test('is run now, and its outcome is a dot that leads to the run', async () => {
  await page.getByRole('button', { name: 'Run now' }).click()
  await until(async () => (await schedule('Brief'))?.last.includes('succeeded') === true, {
    what: 'the run to have ended',
  })
  await page.reload()
  const dots = page.getByRole('article').getByRole('list', { name: /^Last run/ })
  await dots.getByRole('link', { name: /^done/ }).click()
  await until(() => page.url().includes('/activity/run_'), { what: 'the page of the run' })
  await page.goBack()
})

test('is paused, says why it did not run, and is resumed', async () => {
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await until(async () => (await schedule('Brief'))?.status === 'paused')
  await choose('Why didn’t it run?')
  await page.getByRole('dialog').getByText('What happened').waitFor()
  await dialogHears(page)
  await keys.press('Escape')
  await dialogGone()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await until(async () => (await schedule('Brief'))?.status === 'active')
})

test('is added ready-made, with the page that it watches', async () => {
  await page.getByRole('button', { name: 'Ready-made automations' }).click()
  await page.getByRole('button', { name: 'Add Watch a page' }).click()
  await until(async () => (await schedule('Watch a page')) !== undefined)
  await dialogGone()
  await page.getByRole('link', { name: /Watch a page/ }).click()
  await page.getByRole('heading', { level: 2, name: 'Watch a page' }).waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Page to watch').fill('https://news.example/today')
  await keys.press('Control+Enter')
  await dialogGone()
  const { does } = (await schedule('Watch a page')) ?? {}
  expect(does).toMatchObject({ text: expect.stringMatching(/^Read https:\/\/news\.example\/today and/) })
})

test('made, paused and removed elsewhere, it shows at once', async () => {
  const { client } = scene.gateway
  const added = await client.addSchedule({ sentence: 'every day 7:00 water the plants', name: 'Plants' })
  const row = page.getByRole('link', { name: /Plants/ })
  // Well before the list would be asked for by itself.
  const soon = { timeout: 20_000 }
  await row.waitFor(soon)
  await client.changeSchedule(added.schedule.id, { status: 'paused' })
  await row.filter({ hasText: /paused/i }).waitFor(soon)
  await client.removeSchedule(added.schedule.id)
  await row.waitFor({ ...soon, state: 'detached' })
})

test('made by the assistant, it shows at once, and its undo too', async () => {
  const { client } = scene.gateway
  const args = { name: 'Bins', schedule: 'every monday 7:00', prompt: 'put the bins out' }
  const errand = await scene.tell([{ name: 'create_scheduled_task', args }])
  for (const { id } of await errand.waiting()) await approve(scene.installation, client, id)
  const row = page.getByRole('link', { name: /Bins/ })
  await row.waitFor({ timeout: 20_000 })
  await errand.ended()
  await client.undoRun(errand.run)
  await row.waitFor({ timeout: 20_000, state: 'detached' })
})

test('is deleted on a phone, by touch, after a window has said what that means', async () => {
  const { page: phone } = await scene.enter('/automations', { ...narrow, touch: true })
  await phone.getByRole('link', { name: /Watch a page/ }).tap()
  const more = phone.getByRole('article').getByRole('button', { name: /^More/ })
  expect((await more.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await more.tap()
  await phone.getByRole('menuitem', { name: 'Delete…' }).tap()
  await phone.getByText(/This cannot be undone\./).waitFor()
  await phone.getByRole('button', { name: 'Delete the automation' }).tap()
  await until(async () => (await schedule('Watch a page')) === undefined)
  const overflow = await phone.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(overflow).toBe(0)
  await phone.context().close()
})
