/** Goals as a person keeps them: by the keyboard on a wide screen, and by touch on a phone. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { narrow } from './browser.ts'
import { type Keyboard, keyboardOf } from './keyboard.ts'
import { openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let page: Page
let keys: Keyboard

beforeAll(async () => {
  scene = await openScene()
  page = (await scene.enter('/goals')).page
  keys = keyboardOf(page)
})
afterAll(() => scene.close())

const goals = () => scene.gateway.client.goals({ all: 'true' })
const goal = async (title: string) => (await goals()).find((each) => each.title === title)
const stepsOf = async (title: string) => {
  const { steps } = await scene.gateway.client.goal((await goal(title))?.id ?? '')
  return steps.toSorted((a, b) => a.order - b.order)
}
const text = (words: RegExp | string) => page.getByText(words).first().waitFor()
const dialogGone = () => page.getByRole('dialog').waitFor({ state: 'detached' })

async function choose(menu: RegExp, item: string): Promise<void> {
  await page.getByRole('button', { name: menu }).first().click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('is added by the keyboard, with a due date that the list and the page show', async () => {
  await page.getByRole('button', { name: 'Learn Portuguese' }).waitFor()
  await keys.press('n')
  await page.getByRole('dialog').waitFor()
  await until(async () => page.evaluate(`document.activeElement?.tagName === 'INPUT'`), {
    what: 'the first field to have the focus',
  })
  await keys.press('Control+Enter')
  await text('Give the goal a name of one line.')
  await keys.type('Learn Danish')
  await page.getByLabel('Due date').fill('2031-12-31')
  await keys.press('Control+Enter')
  await dialogGone()
  expect(await goal('Learn Danish')).toMatchObject({ due: '2031-12-31', priority: 5, status: 'active' })
  await until(async () => (await page.getByText(/^due 31 Dec 2031$/).count()) === 2, {
    what: 'the due date in the list and on the page',
  })
})

test('gets steps that are ticked, moved, renamed, removed and brought back', async () => {
  for (const title of ['Find a teacher', 'Buy a book']) {
    await page.getByLabel('New step').fill(title)
    await page.getByLabel('New step').press('Enter')
    await page.getByRole('checkbox', { name: `Done: ${title}` }).waitFor()
  }
  await page.getByRole('checkbox', { name: 'Done: Find a teacher' }).focus()
  await keys.press('Space')
  await until(async () => (await stepsOf('Learn Danish'))[0]?.status === 'completed')
  await text('50% done')
  await choose(/Actions for the step Buy a book/, 'Move up')
  await until(async () => (await stepsOf('Learn Danish'))[0]?.title === 'Buy a book')
  await choose(/Actions for the step Buy a book/, 'Rename')
  await page.getByRole('dialog').getByLabel('Step').fill('Buy two books')
  await keys.press('Enter')
  await dialogGone()
  await choose(/Actions for the step Buy two books/, 'Remove')
  await until(async () => (await stepsOf('Learn Danish')).length === 1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await stepsOf('Learn Danish'))[0]?.title === 'Buy two books')
})

test('keeps what was learned, which is changed and removed', async () => {
  const learned = async () => (await goal('Learn Danish'))?.learnings.map((entry) => entry.text)
  await page.getByRole('button', { name: 'Add something learned' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/remembered/)
    .fill('Closed on Mondays.')
  await keys.press('Control+Enter')
  await dialogGone()
  await page.getByRole('button', { name: 'Change “Closed on Mondays.”' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/remembered/)
    .fill('Closed on Tuesdays.')
  await keys.press('Control+Enter')
  await dialogGone()
  await until(async () => (await learned())?.join() === 'Closed on Tuesdays.')
  await page.getByRole('button', { name: 'Remove “Closed on Tuesdays.”' }).click()
  await until(async () => (await learned())?.length === 0)
})

test('has limits that are checked before they are saved', async () => {
  await page.getByRole('button', { name: 'Change limits' }).click()
  const window = page.getByRole('dialog')
  await window.getByLabel('Websites it may reach').fill('Danish.example')
  await keys.press('Control+Enter')
  await text('Write exact hosts in lower case, such as api.bank.example.')
  await window.getByLabel('Websites it may reach').fill('danish.example')
  await window.getByLabel('Dollars a day').fill('0.5')
  await window.getByLabel('The most it may do').selectOption('1')
  await keys.press('Control+Enter')
  await dialogGone()
  expect((await goal('Learn Danish'))?.limits).toEqual({
    hosts: ['danish.example'],
    moneyPerDayUsd: 0.5,
    tierMax: 1,
  })
})

test('is paused, resumed, done and reopened, and talked about', async () => {
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await until(async () => (await goal('Learn Danish'))?.status === 'paused')
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await until(async () => (await goal('Learn Danish'))?.status === 'active')
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await until(async () => (await goal('Learn Danish'))?.status === 'completed')
  await page.getByRole('button', { name: 'Reopen' }).click()
  await until(async () => (await goal('Learn Danish'))?.status === 'active')
  await page.getByRole('button', { name: 'Talk about it' }).click()
  await page.getByRole('dialog').getByLabel('Your message').fill('What is next?')
  await keys.press('Control+Enter')
  await until(() => /\/chat\/ses_/.test(page.url()), { what: 'the conversation' })
  await text(/What is next\?/)
  await page.goto(new URL('/goals', page.url()).href)
  await until(async () => (await page.getByRole('link', { name: /What is next/ }).count()) === 1, {
    what: 'the run of the goal on its page',
  })
})

test('is deleted only after a window has said what that means', async () => {
  await scene.gateway.client.addGoal({ title: 'A mistake' })
  await page.reload()
  await page.getByRole('link', { name: /A mistake/ }).click()
  await page.getByRole('heading', { level: 2, name: 'A mistake' }).waitFor()
  await choose(/^More/, 'Delete…')
  await text(/This cannot be undone\./)
  await keys.press('Escape')
  await dialogGone()
  expect(await goal('A mistake')).toBeDefined()
  await choose(/^More/, 'Delete…')
  await page.getByRole('button', { name: 'Delete the goal' }).click()
  await until(async () => (await goal('A mistake')) === undefined)
  await page.getByRole('heading', { level: 2, name: 'Learn Danish' }).waitFor()
})

test('is ticked by touch on a phone, where everything is large enough', async () => {
  const { page: phone } = await scene.enter('/goals', { ...narrow, touch: true })
  await phone.getByRole('link', { name: /Learn Danish/ }).tap()
  const tick = phone.getByRole('checkbox', { name: 'Done: Buy two books' })
  const box = await phone.locator('label', { has: tick }).boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
  await tick.tap()
  await until(async () => (await stepsOf('Learn Danish'))[0]?.status === 'completed')
  const overflow = await phone.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(overflow).toBe(0)
  await phone.context().close()
})
