/** Plans as a person runs them: looked at, started with what it may do, watched, decided, run again. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Keyboard, keyboardOf } from './keyboard.ts'
import { openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let page: Page
let keys: Keyboard

beforeAll(async () => {
  scene = await openScene()
  page = (await scene.enter('/goals/plans')).page
  keys = keyboardOf(page)
})
afterAll(() => scene.close())

const outside = () => join(scene.installation.home, 'contract.txt')
const plan = async () => (await scene.gateway.client.plans()).plans[0]
const becomes = (status: string) =>
  until(async () => (await plan())?.status === status, { what: `the plan to be ${status}` })

test('is pasted, and is refused with the place that is wrong', async () => {
  writeFileSync(outside(), 'Three months.')
  await page.getByRole('button', { name: 'Ask for a plan' }).waitFor()
  await page.getByRole('button', { name: 'Paste a plan' }).click()
  const text = page.getByLabel('The plan as JSON')
  await text.fill('{"name": "Read", "steps": [{"type": "tool_call"}]}')
  await keys.press('Control+Enter')
  await page.getByText(/This is not a plan\. Look at: steps\.0/).waitFor()
  const steps = [
    { type: 'tool_call', id: 'list', name: 'Look around', tool: 'list_directory', args: { path: '.' } },
    {
      type: 'tool_call',
      id: 'read',
      name: 'Read the contract',
      tool: 'read_file',
      args: { path: outside() },
      dependsOn: ['list'],
    },
  ]
  await text.fill(JSON.stringify({ name: 'Notice', goal: 'Know the notice.', steps }))
  await keys.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 2, name: 'Notice' }).waitFor()
  const graph = page.getByRole('group', { name: 'How the steps depend on each other' })
  expect(await graph.getByRole('listitem').allTextContents()).toEqual([
    expect.stringContaining('Look around'),
    expect.stringContaining('Read the contract'),
  ])
})

test('is started by the keyboard, stops where it must, and goes on after the decision', async () => {
  await keys.tabTo(/^Start…$/)
  await keys.press('Enter')
  const window = page.getByRole('dialog', { name: 'Start “Notice”' })
  await window.getByText('asks you').first().waitFor()
  await window.getByRole('button', { name: 'Start', exact: true }).click()
  await window.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Review' }).waitFor()
  await page.getByText('waiting for you').first().waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await until(async () => !['in_progress', 'paused'].includes((await plan())?.status ?? ''), {
    what: 'the plan to have stopped',
  })
})

test('is run again with its action approved at once', async () => {
  await page.getByRole('button', { name: 'Run again…' }).click()
  const window = page.getByRole('dialog')
  await window.getByRole('checkbox', { name: /Approve 1 action now/ }).check()
  await window.getByRole('button', { name: 'Approve 1 action and start' }).click()
  await becomes('completed')
  await page.getByText('2 of 2 steps').waitFor()
  await page
    .getByRole('cell', { name: /Three months/ })
    .first()
    .waitFor()
})
