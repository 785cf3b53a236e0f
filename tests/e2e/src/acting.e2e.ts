/** What an operator does on Costs, Tools and Ledger without a terminal: limits, switches and figures as a table. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
let page: Page

beforeAll(async () => {
  scene = await openScene()
  page = (await scene.enter('/costs')).page
})
afterAll(() => scene.close())

const limits = async () => (await scene.gateway.client.budgets()).filter(({ builtIn }) => !builtIn)

test('sets, changes and removes a limit', async () => {
  await page.goto(`${scene.gateway.url}/costs`)
  await page.getByRole('button', { name: 'Add a limit' }).click()
  await page.getByLabel('Dollars').fill('ten')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter an amount such as 20 or 0.50.').waitFor()
  expect(await limits()).toEqual([])
  await page.getByLabel('Dollars').fill('12')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(limits).toMatchObject([{ name: 'global:month', limitUsd: 12, hard: true }])

  await page.getByRole('button', { name: 'Change the limit: All work, each month' }).click()
  await page.getByLabel('Dollars').fill('7.50')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(limits).toMatchObject([{ name: 'global:month', limitUsd: 7.5 }])

  await page.getByRole('button', { name: 'Remove the limit: All work, each month' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await limits()).toHaveLength(1)
  await page.getByRole('button', { name: 'Remove the limit: All work, each month' }).click()
  await page.getByRole('button', { name: 'Remove the limit', exact: true }).click()
  await expect.poll(limits).toEqual([])
})

test('shows a chart as a table, and walks through it by keyboard', async () => {
  const chart = page.getByRole('figure', { name: 'Spending by day' })
  const walk = chart.getByRole('slider')
  await walk.focus()
  await page.keyboard.press('End')
  await expect.poll(() => walk.getAttribute('aria-valuetext')).toContain('$')
  await chart.getByRole('button', { name: 'Show as table' }).click()
  await chart.getByRole('columnheader', { name: 'Day' }).waitFor()
})

test('switches a group of tools off and on again', async () => {
  await page.goto(`${scene.gateway.url}/tools`)
  const [group] = (await scene.gateway.client.toolGroups()).filter(({ enabled }) => enabled)
  if (group === undefined) throw new Error('No group is on.')
  const isOn = async () =>
    (await scene.gateway.client.toolGroups()).find(({ name }) => name === group.name)?.enabled
  const toggle = page.getByRole('switch', { name: group.title, exact: true })
  await toggle.click()
  await expect.poll(isOn).toBe(false)
  await toggle.click()
  await expect.poll(isOn).toBe(true)
})

test('hides calls to models in the ledger until they are wanted', async () => {
  await page.goto(`${scene.gateway.url}/ledger`)
  await page.getByRole('checkbox', { name: 'Show background work' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('machine')).toBe('yes')
})
