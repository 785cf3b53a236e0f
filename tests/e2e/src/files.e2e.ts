/** The Files screen: the workspace is looked at and changed there, and nothing outside of it is reached. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let entered: PairedPage
beforeAll(async () => {
  scene = await openScene()
  entered = await scene.enter('/files')
})
afterAll(() => scene.close())

const names = async () => (await scene.gateway.client.folder('.')).entries.map(({ name }) => name)

test('a picture is uploaded, shown, deleted, and brought back by Undo', async () => {
  const { page } = entered
  const dot = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'dot.gif', mimeType: 'image/gif', buffer: dot })
  await page.getByText('dot.gif uploaded.').first().waitFor()
  await page.goto(entered.at('/files?file=dot.gif'))
  await page.getByRole('img', { name: 'Picture dot.gif' }).waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('File deleted.').first().waitFor()
  expect(await names()).not.toContain('dot.gif')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await until(async () => (await names()).includes('dot.gif'), { what: 'the picture to come back' })
})

test('twenty megabytes are uploaded with how far they are, and taken back', async () => {
  const { page } = entered
  const large = join(scene.installation.home, 'large.bin')
  const bytes = randomBytes(20_000_000)
  writeFileSync(large, bytes)
  await page.locator('input[type=file]').first().setInputFiles(large)
  await page.getByRole('progressbar', { name: 'Uploading large.bin' }).waitFor()
  await page.getByText('large.bin uploaded.').first().waitFor()
  expect(readFileSync(join(scene.installation.paths.workspace, 'large.bin')).equals(bytes)).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await until(async () => !(await names()).includes('large.bin'), { what: 'the upload to be taken back' })
})

test('an upload that is stopped writes nothing', async () => {
  const { page } = entered
  const large = join(scene.installation.home, 'stopped.bin')
  writeFileSync(large, randomBytes(20_000_000))
  // The second part waits until the button was pressed, however fast the machine is.
  let free = () => {}
  const pressed = new Promise<void>((resolve) => {
    free = resolve
  })
  let parts = 0
  await page.route('**/v1/files/uploads/*', async (route) => {
    parts += 1
    if (parts > 1) await pressed
    await route.continue()
  })
  await page.locator('input[type=file]').first().setInputFiles(large)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  free()
  await page.getByText('Upload of stopped.bin stopped.', { exact: false }).first().waitFor()
  await page.unroute('**/v1/files/uploads/*')
  expect(await names()).not.toContain('stopped.bin')
})

test('a text is written, shown as text, and taken back from its history', async () => {
  const { page } = entered
  await page.getByRole('button', { name: 'New text file' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('page.html')
  await dialog.getByLabel('Text').fill('<script>document.title = "run"</script>')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('File saved.').first().waitFor()
  await page.goto(entered.at('/files?file=page.html'))
  await page.getByText('<script>', { exact: false }).waitFor()
  expect(await page.title()).not.toBe('run')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Write page.html' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await until(async () => !(await names()).includes('page.html'), { what: 'the text to be taken back' })
})

test('a link out of the workspace is told and not followed', async () => {
  const { page } = entered
  const { home } = scene.installation
  writeFileSync(join(home, 'outside.txt'), 'never shown')
  const { client } = scene.gateway
  const { workspace } = scene.installation.paths
  symlinkSync(join(home, 'outside.txt'), join(workspace, 'link.txt'))
  await expect(client.filePart('link.txt')).rejects.toThrow('symbolic link')
  await expect(client.filePart('../outside.txt')).rejects.toThrow()
  await page.goto(entered.at('/files?file=link.txt'))
  await page.getByText('does not follow links').waitFor()
  expect(await page.getByText('never shown').count()).toBe(0)
})

test('a folder is renamed, and the files in it are deleted', async () => {
  const { page } = entered
  const { client } = scene.gateway
  await client.callTool('write_file', JSON.stringify({ path: 'old/deep/a.txt', content: 'a' }))
  await until(async () => (await names()).includes('old'), { what: 'the folder' })
  await page.goto(entered.at('/files/old'))
  await page.getByRole('button', { name: 'This folder' }).click()
  await page.getByRole('menuitem', { name: 'Rename folder' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('new')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.waitForURL('**/files/new')
  await page.getByRole('button', { name: 'This folder' }).click()
  await page.getByRole('menuitem', { name: 'Delete the files in it' }).click()
  await page.getByText('1 file is deleted', { exact: false }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the files in it' }).click()
  const left = async () => (await client.folder('new/deep')).entries.length
  await until(async () => (await left()) === 0, { what: 'the file to be gone' })
})

test('a folder is deleted with all that is in it, and comes back whole', async () => {
  const { page } = entered
  const { client } = scene.gateway
  const { workspace } = scene.installation.paths
  await client.callTool('write_file', JSON.stringify({ path: 'trip/maps/rome.txt', content: 'via' }))
  await until(async () => (await names()).includes('trip'), { what: 'the folder' })
  mkdirSync(join(workspace, 'trip/empty'))
  await page.goto(entered.at('/files/trip'))
  await page.getByRole('button', { name: 'This folder' }).click()
  await page.getByRole('menuitem', { name: 'Delete folder' }).click()
  await page.getByText('It goes with the 1 file in it', { exact: false }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete folder' }).click()
  await page.getByText('Folder deleted.').first().waitFor()
  await page.waitForURL('**/files')
  expect(existsSync(join(workspace, 'trip'))).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('Undone.').first().waitFor()
  expect(readFileSync(join(workspace, 'trip/maps/rome.txt'), 'utf8')).toBe('via')
  expect(existsSync(join(workspace, 'trip/empty'))).toBe(true)
})
