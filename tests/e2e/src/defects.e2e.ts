/** What once went wrong on the screens, each as the person met it. One scene, so that it stays cheap. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { narrow } from './browser.ts'
import type { PairedPage } from './pairing.ts'
import { obedient, openScene, type Scene, tell } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let entered: PairedPage
let page: Page

beforeAll(async () => {
  scene = await openScene({
    script: (turn) =>
      turn.lastUser === 'break' ? { status: 400, errorMessage: 'No such thing.' } : obedient(turn),
  })
  for (const name of ['a.txt', 'b.txt'])
    writeFileSync(join(scene.installation.home, name), `content of ${name}`)
  entered = await scene.enter('/')
  page = entered.page
})
afterAll(() => scene.close())

const go = (path: string, on: Page = page) => on.goto(entered.at(path))
const read = (name: string) => ({ name: 'read_file', args: { path: join(scene.installation.home, name) } })

const makes = (folder: string) => ({
  name: 'write_file',
  args: { path: `${folder}/Makefile`, content: 'all:' },
})

async function asked(call: ReturnType<typeof read> | ReturnType<typeof makes>) {
  const errand = await scene.tell([call])
  const [approval] = await errand.waiting()
  if (approval === undefined) throw new Error('Nothing waits.')
  await go(`/approvals/${approval.code}`)
  await page.locator('button:not([aria-disabled])', { hasText: 'Approve once' }).waitFor()
  return { errand, approval }
}

async function boxOf(one: Locator) {
  const box = await one.boundingBox()
  if (box === null) throw new Error('It is not drawn.')
  return box
}

/** For whoever looks at what a test saw. */
async function picture(on: Page, name: string): Promise<void> {
  const folder = process.env['COUNTERSIGN_E2E_PICTURES']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await on.screenshot({ path: join(folder, `${name}.png`) })
}

describe('a run that was undone', () => {
  test('is told of before any summary, and offers no second undo', async () => {
    const errand = await scene.tell([{ name: 'write_file', args: { path: 'made.txt', content: 'x' } }])
    await errand.ended()
    await go('/')
    await page.getByText('1 run has ended since this summary.').waitFor()
    expect(await page.getByText('Nothing has happened').count()).toBe(0)

    await scene.gateway.client.makeFeed(false)
    await go('/')
    const article = page.getByRole('article').filter({ has: page.locator(`a[href$="${errand.run}"]`) })
    await article.getByRole('button', { name: 'Undo' }).waitFor()
    await scene.gateway.client.undoRun(errand.run)
    await article.getByText('Undone', { exact: true }).waitFor()
    expect(await article.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await page.getByText('Note of Countersign').waitFor({ state: 'detached' })
    await picture(page, 'today-undone')

    await go(`/activity/${errand.run}`)
    const detail = page.getByRole('article')
    await detail.getByText('Undone', { exact: true }).waitFor()
    expect(await detail.getByRole('button', { name: /^Undo…/ }).isDisabled()).toBe(true)
    await picture(page, 'activity-undone')
  })
})

test('a run that failed is tried again from Today', async () => {
  await go('/')
  const errand = await tell(scene.gateway, 'break')
  await errand.ended()
  const before = (await scene.gateway.client.runs({})).length
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect.poll(async () => (await scene.gateway.client.runs({})).length).toBe(before + 1)
})

describe('a request', () => {
  test('names its conversation, gets the time that the gateway gave, and no message covers the decision', async () => {
    const { errand, approval } = await asked(read('a.txt'))
    await scene.gateway.client.renameSession(errand.session, 'Read a letter')
    await page.reload()
    await page.getByRole('link').filter({ hasText: 'Read a letter' }).first().waitFor()
    const approve = page.locator('button:not([aria-disabled])', { hasText: 'Approve once' })
    await approve.waitFor()
    await page.keyboard.press('z')
    const message = page
      .getByRole('region', { name: 'Messages from the app' })
      .getByText(/^It now waits until/)
    await message.waitFor()
    const { expiresAt } = (await scene.gateway.client.approval(approval.id)).approval
    expect(await message.innerText()).toContain(new Date(expiresAt).toISOString().slice(11, 16))
    const [one, other] = [await boxOf(message), await boxOf(approve)]
    expect(one.y + one.height <= other.y || one.y >= other.y + other.height).toBe(true)
    await picture(page, 'approval-extended')
  })

  test('is approved by the key that its open menu shows', async () => {
    const { errand, approval } = await asked(makes('menu'))
    await page.getByRole('button', { name: 'Allow more' }).click()
    await page.getByRole('menuitem', { name: /^For 30 minutes/ }).waitFor()
    await page.keyboard.press('t')
    await errand.ended()
    expect((await scene.gateway.client.approval(approval.id)).approval.state).toBe('approved')
  })
})

test('the policy says what needs the passkey, and what does not', async () => {
  await go('/policy/agents')
  await page.getByText('Letting a run spend more asks you without it.', { exact: false }).waitFor()
})

describe('on a phone', () => {
  let phone: Page
  const sockets: WebSocketRoute[] = []
  beforeAll(async () => {
    phone = (await scene.enter('/', { ...narrow, touch: true })).page
    await phone.context().routeWebSocket(/\/v1\/socket(\?|$)/, (socket) => {
      socket.connectToServer()
      sockets.push(socket)
    })
  })

  const isInside = async (one: Locator) => {
    const { x, width } = await boxOf(one)
    return x >= 0 && x + width <= narrow.width + 1
  }

  test('the tab that is open is in sight', async () => {
    await go('/policy/agents', phone)
    const tab = phone.getByRole('tab', { selected: true })
    await tab.waitFor()
    const isInList = async () => {
      const [one, list] = [await boxOf(tab), await boxOf(phone.getByRole('tablist'))]
      return one.x >= list.x - 1 && one.x + one.width <= list.x + list.width + 1
    }
    await phone.getByRole('tab', { name: /Grants\s*\d/ }).waitFor()
    await expect.poll(isInList).toBe(true)
    await picture(phone, 'policy-phone')
  })

  test('the run of a conversation can be looked at', async () => {
    const errand = await scene.tell([{ name: 'write_file', args: { path: 'phone.txt', content: 'x' } }])
    await errand.ended()
    await go(`/chat/${errand.session}`, phone)
    await phone.getByRole('button', { name: 'Run', exact: true }).click()
    await phone.getByRole('dialog').getByText('Cost').first().waitFor()
    await picture(phone, 'run-panel-phone')
  })

  test('the list of tools ends at the bar', async () => {
    await go('/tools', phone)
    const list = phone.getByRole('list', { name: 'Tools' }).locator('..')
    await list.waitFor()
    const { y, height } = await boxOf(list)
    const bar = await boxOf(phone.getByRole('navigation', { name: 'Main' }).last())
    expect(bar.y - (y + height)).toBeLessThan(24)
    await picture(phone, 'tools-phone')
  })

  test('offline, no word is broken and every button is whole', async () => {
    await go('/chat/new', phone)
    await phone.getByText('Live', { exact: true }).waitFor()
    await phone.context().setOffline(true)
    await Promise.allSettled(sockets.map((socket) => socket.close({ code: 1012, reason: 'cut' })))
    const tryNow = phone.getByRole('button', { name: 'Try now' })
    await tryNow.waitFor()
    await picture(phone, 'offline-phone')
    for (const name of ['Try now', 'Search', 'Send']) {
      const button = phone.getByRole('button', { name }).first()
      const { width, height } = await boxOf(button)
      expect([name, width >= 44, height <= 56]).toEqual([name, true, true])
      expect(await isInside(button)).toBe(true)
    }
    const composer = phone.getByRole('textbox', { name: 'Message' })
    await composer.fill('Later.')
    await composer.press('Enter')
    const { height } = await boxOf(composer.locator('..'))
    expect(height).toBeLessThan(200)
    await picture(phone, 'offline-composer-phone')
    await phone.context().setOffline(false)
    await phone.getByText('Live', { exact: true }).waitFor()
    await until(async () =>
      (await scene.gateway.client.runs({})).some(({ asked: text }) => text === 'Later.'),
    )
  })
})
