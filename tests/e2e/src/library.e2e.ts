/** The Library screen: records are added, changed, deleted and brought back there, each by a call in the ledger. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let entered: PairedPage
beforeAll(async () => {
  scene = await openScene()
  entered = await scene.enter('/library')
})
afterAll(() => scene.close())

test('a note is added, deleted, and brought back by Undo', async () => {
  const { page } = entered
  const { client } = scene.gateway
  await page.getByRole('button', { name: 'Add note' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Door code')
  await dialog.getByLabel('Text (Markdown)').fill('It is **1234**.')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'Door code' }).waitFor()
  await page.getByText('Note added.').first().waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Note deleted.').first().waitFor()
  expect((await client.notes()).total).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await until(async () => (await client.notes()).total === 1, { what: 'the note to come back' })
})

test('a task is added and completed', async () => {
  const { page } = entered
  await page.goto(entered.at('/library/tasks'))
  await page.getByRole('button', { name: 'Add task' }).first().click()
  await page.getByRole('dialog').getByLabel('Title').fill('Buy milk')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Complete' }).click()
  await page.getByText('Task completed.').first().waitFor()
  expect((await scene.gateway.client.tasks()).items[0]?.data.status).toBe('completed')
})

test('a table is made, gets a row, and a cell is changed in its place', async () => {
  const { page } = entered
  await page.goto(entered.at('/library/tables'))
  await page.getByRole('button', { name: 'New table' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('books')
  await dialog.getByLabel('Column').fill('title')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Add row' }).first().click()
  await page.getByRole('dialog').getByLabel('title').fill('Emma')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Edit title: Emma' }).click()
  await page.getByRole('textbox', { name: 'Edit title' }).fill('Persuasion')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Edit title: Persuasion' }).waitFor()
})

test.each(['month', 'week', 'agenda'])('the calendar shows an event in its %s', async (view) => {
  const { page } = entered
  const day = scene.installation.now().toISOString().slice(0, 10)
  if (view === 'month') {
    const args = JSON.stringify({ title: 'Dentist', startTime: `${day}T09:00:00` })
    await scene.gateway.client.callTool('add_calendar_event', args)
    await until(async () => (await scene.gateway.client.calendarEvents()).total === 1)
  }
  await page.goto(entered.at(`/library/calendar?view=${view}&day=${day}`))
  await page.getByRole('link', { name: /Dentist/ }).waitFor()
})
