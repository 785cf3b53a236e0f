/** The Devices screen with another computer that runs calls: it asks, is let in by the host, is limited, complains and goes. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { narrow } from './browser.ts'
import { openScene, type Scene } from './scene.ts'
import { type AskingNode, askAsNode, type ConnectedNode, connectAsNode, letNodeIn } from './test-node.ts'
import { until } from './until.ts'

let scene: Scene
let page: Page
let workshop: AskingNode
let connected: ConnectedNode | undefined

beforeAll(async () => {
  scene = await openScene()
  ;({ page } = await scene.enter('/devices'))
})
afterAll(async () => {
  connected?.close()
  await scene?.close()
})

const nodes = (on = page) => on.getByRole('region', { name: 'Nodes' })
const dialog = (on = page) => on.getByRole('dialog')
const known = async () => (await scene.gateway.client.nodes()).nodes

test('says how another computer is let in while there is none', async () => {
  await nodes().getByText('No other computer acts for you.').waitFor()
  await nodes().getByRole('button', { name: 'Add a node' }).click()
  await dialog().getByText('countersign node invite').waitFor()
  await dialog().getByText('countersign node approve').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('says how the app comes to be reached from elsewhere while it is not', async () => {
  const addresses = page.getByRole('region', { name: 'Addresses' })
  await addresses.getByText(`http://localhost:${new URL(scene.gateway.url).port}`).waitFor()
  await addresses.getByText('The app is reached from this computer only.').waitFor()
  await addresses.getByRole('button', { name: 'Add an address' }).click()
  const address = dialog().getByRole('textbox', { name: 'Address' })
  await address.fill('house.example/devices')
  await dialog()
    .getByText('countersign config set publicOrigins https://house.example', { exact: true })
    .waitFor()
  await dialog()
    .getByText('countersign open --phone --origin https://house.example', { exact: true })
    .waitFor()
  await address.fill('http://house.example')
  await dialog().getByRole('alert').getByText('Write https:// and a name').waitFor()
  expect(await dialog().getByText('countersign config').count()).toBe(0)
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('a computer that asks is refused here, and let in at the host only', async () => {
  const { installation, gateway } = scene
  await askAsNode(gateway, 'stranger')
  const request = page.getByRole('article').filter({ hasText: 'stranger asks to act for you' })
  await request.getByText('countersign node approve').waitFor()
  expect(await request.getByRole('button').allInnerTexts()).toEqual(['Copy', 'Refuse'])
  await request.getByRole('button', { name: 'Refuse' }).click()
  await request.waitFor({ state: 'detached' })
  expect(await gateway.client.nodePairingRequests()).toEqual([])
  workshop = await askAsNode(gateway, 'workshop')
  await letNodeIn(installation, gateway, workshop)
  await nodes().getByRole('heading', { name: 'workshop' }).waitFor()
  await nodes().getByText('It has not connected since the gateway started').waitFor()
})

test('shows what it can do and what stands in the way there, and switches it off here', async () => {
  connected = await connectAsNode(scene.gateway, workshop, {
    capabilities: [
      { capability: 'files', state: 'ready', reason: '', fix: '' },
      {
        capability: 'screen',
        state: 'denied',
        reason: 'Its system does not let it see the screen.',
        fix: 'Allow it in the settings there.',
      },
    ],
  })
  await nodes().getByText('connected', { exact: true }).waitFor()
  await nodes().getByText('1 of 2 capabilities can be used').click()
  await nodes().getByText('Denied there: Screen').waitFor()
  await nodes().getByText('Allow it in the settings there.').waitFor()
  await nodes().getByRole('switch', { name: 'Files' }).click()
  await nodes().getByText('0 of 2 capabilities can be used').waitFor()
  expect(await known()).toMatchObject([{ off: ['files'] }])
  await nodes().getByRole('switch', { name: 'Files' }).click()
  await until(async () => (await known())[0]?.off.length === 0)
  connected.say({
    type: 'capabilities',
    capabilities: [{ capability: 'files', state: 'ready', reason: '', fix: '' }],
  })
  await nodes().getByText('1 of 1 capability can be used').waitFor()
})

test('a complaint about the ledger is an alarm', async () => {
  connected?.say({ type: 'complaint', size: 12, reason: 'Entry 9 is another one now.' })
  const alarm = nodes().getByRole('alert')
  await alarm.getByText('Entry 9 is another one now.').waitFor()
  await alarm.getByText('is not the one it saw before').waitFor()
})

test('a name is given by the host, and a browser on a phone that seals can revoke', async () => {
  await nodes().getByRole('button', { name: 'Change workshop' }).click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  await dialog().getByLabel('Name').fill('shed')
  await dialog().getByText('countersign node rename workshop shed').waitFor()
  await page.keyboard.press('Escape')
  const hand = await scene.enter('/devices', { ...narrow, touch: true })
  await nodes(hand.page).getByRole('button', { name: 'Change workshop' }).tap()
  await hand.page.getByRole('menuitem', { name: 'Revoke…' }).tap()
  await dialog(hand.page).getByRole('button', { name: 'Revoke', exact: true }).tap()
  await nodes(hand.page).getByText('No other computer acts for you.').waitFor()
  expect(await known()).toMatchObject([{ name: 'workshop', revokedAt: expect.any(String) }])
  await nodes().getByText('No other computer acts for you.').waitFor()
})
