/** The policy, changed in a browser: simulated on what was done, put in force and restored. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLive } from './pairing.ts'
import { openScene, type Scene, tell } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let page: Page
let at: (path: string) => string

beforeAll(async () => {
  scene = await openScene()
  await tell(scene.gateway, 'hello')
  const entered = await scene.enter('/policy')
  page = entered.page
  at = entered.at
  await isLive(page)
})
afterAll(() => scene.close())

const inForce = async () => (await scene.gateway.client.policy()).version

test('one line says how often it asks as installed', async () => {
  const { asked } = await scene.gateway.client.policy()
  const times = Math.round(asked.technical.week)
  await page.getByText(new RegExp(`As installed, .* it asked a developer ${times} times`)).waitFor()
})

test('a level is chosen, told what it means, put in force and seen at once', async () => {
  await page.getByRole('radio', { name: /^Low/ }).check()
  await page.getByText(/In your last|no past calls/).waitFor()
  await page.getByRole('button', { name: 'Put in force' }).click()
  await until(async () => (await inForce()).autonomy === 'low', { what: 'the level' })
  await page.getByText(/^Version 2, in force since/).waitFor()
})

test('a rule with an error cannot be put in force, and its line is named', async () => {
  await page.goto(at('/policy/edit'))
  const rules = page.locator('textarea[data-rules]')
  await rules.fill('forbid (principal, action, resource)\nwhen { context.nothing };')
  await page.getByRole('button', { name: 'mine.cedar, line 2' }).waitFor()
  expect(await page.getByRole('button', { name: 'Put in force' }).isDisabled()).toBe(true)
  await rules.fill('forbid (principal, action, resource)\nwhen { context.outward };')
  await page.getByText('Refuse any call when others see it.').waitFor()
  await page.getByRole('button', { name: 'Put in force' }).click()
  await until(async () => (await inForce()).files.length === 1, { what: 'the rule' })
})

test('an earlier version is restored through the same door', async () => {
  await page.goto(at('/policy/versions/1'))
  await page.getByRole('button', { name: 'Restore this version…' }).click()
  await page.getByText('Countersign could ask you less:').waitFor()
  await page.getByRole('button', { name: 'Put in force' }).click()
  await until(async () => (await inForce()).autonomy === 'medium', { what: 'the old level' })
  expect((await inForce()).number).toBe(4)
})

test('on a phone the open tab is in sight', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(at('/policy/agents'))
  const tab = page.getByRole('tab', { name: 'By agent' })
  await tab.waitFor()
  await until(
    async () => {
      const box = await tab.boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= 390
    },
    { what: 'the tab in sight' },
  )
})
