/** The Memory screen: what is remembered is listed, found, added, changed and forgotten there. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let entered: PairedPage
beforeAll(async () => {
  scene = await openScene()
  await scene.gateway.client.addMemory({ content: 'Likes green tea', type: 'preference', tags: [] })
  entered = await scene.enter('/memory')
})
afterAll(() => scene.close())

test('lists, searches and shows a time line without an error', async () => {
  const { page } = entered
  await page
    .getByRole('link', { name: /Likes green tea/ })
    .first()
    .waitFor()
  await page.getByRole('searchbox', { name: 'Search memory' }).fill('tea')
  await page
    .getByRole('link', { name: /Likes green tea/ })
    .first()
    .waitFor()
  await page.getByRole('combobox', { name: 'View' }).selectOption('time')
  await page
    .getByRole('link', { name: /you said it/ })
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

test('adds, pins and forgets a memory', async () => {
  const { page } = entered
  const { client } = scene.gateway
  await page.goto(entered.at('/memory'))
  await page.getByRole('button', { name: 'Add memory' }).click()
  const add = page.getByRole('dialog')
  await add.getByLabel('What to remember').fill('The boiler is serviced in May')
  await add.getByRole('button', { name: 'Add memory' }).click()
  await page.getByRole('heading', { name: 'The boiler is serviced in May' }).waitFor()
  await page.getByRole('button', { name: 'Pin', exact: true }).click()
  await page.getByRole('button', { name: 'Unpin' }).waitFor()
  const boiler = async () => (await client.memories()).items.find(({ content }) => content.includes('boiler'))
  expect((await boiler())?.pinned).toBe(true)
  await page.getByRole('button', { name: 'Forget…' }).click()
  const forget = page.getByRole('dialog')
  await forget.getByText('This cannot be undone.').waitFor()
  await forget.getByRole('button', { name: 'Forget it' }).click()
  await until(async () => (await boiler()) === undefined, { what: 'the memory to be forgotten' })
})
