/** Agents as a person makes and tries them. */
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
  page = (await scene.enter('/agents')).page
  keys = keyboardOf(page)
})
afterAll(() => scene.close())

const agent = async (name: string) => (await scene.gateway.client.agents()).find((each) => each.name === name)
const dialogGone = () => page.getByRole('dialog').waitFor({ state: 'detached' })

async function choose(item: string): Promise<void> {
  await page.getByRole('article').getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('shows every agent and opens the first', async () => {
  const all = await scene.gateway.client.agents()
  await page.getByText(`${all.length} agents`).waitFor()
  await page.getByRole('heading', { level: 2, name: all[0]?.name ?? '' }).waitFor()
})

test('makes one by the keyboard', async () => {
  await keys.press('n')
  await page.getByRole('dialog').waitFor()
  await page.getByRole('dialog').getByLabel('Name').fill('Cook')
  await page.getByRole('dialog').getByLabel('Instructions').fill('You plan meals for four.')
  await keys.press('Control+Enter')
  await dialogGone()
  await page.getByRole('heading', { level: 2, name: 'Cook' }).waitFor()
  expect(await agent('Cook')).toMatchObject({ systemPrompt: 'You plan meals for four.', kind: 'custom' })
})

test('changes what it is told, its tools and its limits, and says what is wrong', async () => {
  await page.getByLabel('Turns').fill('0')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Write a whole number from 1 to 200.').waitFor()
  await page.getByLabel('Turns').fill('7')
  await page.getByLabel('Instructions').fill('You plan meals for two.')
  await page.getByRole('checkbox', { name: 'notes', exact: true }).check()
  await page.getByRole('checkbox', { name: 'Contacts', exact: true }).uncheck()
  await page.getByRole('checkbox', { name: 'Date and time' }).uncheck()
  await keys.press('Control+Enter')
  await until(async () => (await agent('Cook'))?.maxTurns === 7, { what: 'the agent to be saved' })
  const saved = await agent('Cook')
  expect(saved).toMatchObject({ systemPrompt: 'You plan meals for two.', toolGroups: ['notes'] })
  expect(saved?.dataAccess).not.toContain('contacts')
  expect(saved?.leaveOut).toEqual(['time'])
  await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' })
})

test('tries it beside the form', async () => {
  await page.getByLabel('Message to the agent').fill('What is for dinner?')
  await keys.press('Enter')
  await page
    .getByRole('region', { name: 'Try it' })
    .last()
    .getByText('You said: What is for dinner?')
    .waitFor()
  const [run] = await scene.gateway.client.runs()
  expect(run?.agent).toBe((await agent('Cook'))?.id)
})

test('is who a new conversation in the chat goes to', async () => {
  const cook = await agent('Cook')
  const agents = page.url()
  await page.goto(new URL('/chat/new', agents).href)
  await page.getByRole('combobox', { name: 'Who answers' }).selectOption(`agent:${cook?.id}`)
  await page.locator('#composer').fill('And for lunch?')
  await keys.press('Enter')
  await page.getByText('You said: And for lunch?').first().waitFor()
  const [run] = await scene.gateway.client.runs()
  expect(run?.agent).toBe(cook?.id)
  await page.goto(agents)
  await page.getByRole('heading', { level: 2, name: 'Cook' }).waitFor()
})

test('makes it the default and takes that back', async () => {
  await page.getByRole('button', { name: 'Make it the default' }).click()
  await until(async () => (await agent('Cook'))?.isDefault === true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await agent('Cook'))?.isDefault === false)
})

test('is a member of a team, which says who would answer', async () => {
  await page.getByRole('link', { name: 'Teams' }).click()
  await page.getByRole('button', { name: 'New team' }).first().click()
  const window = page.getByRole('dialog')
  await window.getByLabel('Name').fill('House')
  await keys.press('Control+Enter')
  await page.getByText('Choose at least one agent.').waitFor()
  await window.getByRole('checkbox', { name: 'Cook' }).check()
  await keys.press('Control+Enter')
  await dialogGone()
  await page.getByLabel('Who would answer?').fill('Soup, please')
  await keys.press('Enter')
  await page.getByText(/Cook would answer\./).waitFor()
})

test('is copied and deleted on a phone, by touch', async () => {
  const { page: phone } = await scene.enter('/agents', { ...narrow, touch: true })
  await phone.getByRole('link', { name: /^Cook/ }).tap()
  await phone.getByRole('button', { name: 'Copy', exact: true }).tap()
  await phone.getByRole('dialog').getByRole('button', { name: 'Add' }).tap()
  await until(async () => (await agent('Cook copy'))?.maxTurns === 7, { what: 'the copy' })
  await phone.getByRole('heading', { level: 2, name: 'Cook copy' }).waitFor()
  await phone.getByRole('article').getByRole('button', { name: /^More/ }).tap()
  await phone.getByRole('menuitem', { name: 'Delete…' }).tap()
  await phone.getByRole('button', { name: 'Delete the agent' }).tap()
  await until(async () => (await agent('Cook copy')) === undefined)
  const overflow = await phone.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(overflow).toBe(0)
  await phone.context().close()
})

test('restores a built-in agent', async () => {
  const before = (await scene.gateway.client.agents())[0]
  if (!before) throw new Error('There is no agent.')
  await scene.gateway.client.changeAgent(before.id, { description: 'Changed.' })
  await page.goto(new URL(`/agents/${before.id}`, page.url()).href)
  await page.getByRole('heading', { level: 2, name: before.name }).waitFor()
  await choose('Restore the original…')
  await page.getByText(/This cannot be undone\./).waitFor()
  await page.getByRole('button', { name: 'Restore the original' }).click()
  await until(async () => (await scene.gateway.client.agent(before.id)).description === before.description)
})
