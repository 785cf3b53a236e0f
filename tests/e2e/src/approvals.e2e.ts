/** Decisions in a real browser, carried out by the real gateway and its executor. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalView } from '@countersign/contract'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signedAnswer } from './as-gateway.ts'
import { addAuthenticator } from './browser.ts'
import { changeBeforeSigning, makePasskey } from './page-services.ts'
import { isLive, type PairedPage, revoke } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let entered: PairedPage
let page: Page

beforeAll(async () => {
  scene = await openScene({ environment: { COUNTERSIGN_PASSKEY_TOOLS: 'execute_python' } })
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) writeFileSync(outside(name), `content of ${name}`)
  entered = await scene.enter('/approvals')
  page = entered.page
})
afterAll(() => scene.close())

afterEach(async () => {
  for (const { id } of await scene.gateway.client.approvals({ state: 'pending' }))
    await scene.gateway.client
      .decide(id, { verdict: 'deny', reason: '', stop: true })
      // Another of the same run went with it.
      .catch(() => undefined)
})

const outside = (name: string) => join(scene.installation.home, name)
const inside = (name: string) => join(scene.installation.paths.workspace, name)
const read = (name: string) => ({ name: 'read_file', args: { path: outside(name) } })
/** A program leaves a link out of the workspace, which needs the operator's device. */
const linking = (name: string) => ({
  name: 'execute_shell',
  args: { command: `ln -s /etc/hostname ${name}` },
})
const makefile = { name: 'write_file', args: { path: 'Makefile', content: 'all:' } }
const python = (name: string) => ({
  name: 'execute_python',
  args: { code: `open('${name}', 'w').write('x')` },
})
const approveButton = (on = page) => on.getByRole('button', { name: /^Approve (once|with passkey)/ })
const armed = (on = page) => on.locator('button:not([aria-disabled])', { hasText: /^Approve (once|with)/ })

async function open({ code }: ApprovalView, on: PairedPage = entered): Promise<void> {
  await on.page.goto(on.at(`/approvals/${code}`))
  await approveButton(on.page).waitFor()
}

async function asked(call: Parameters<Scene['tell']>[0][number]) {
  const errand = await scene.tell([call])
  const [approval] = await errand.waiting()
  if (!approval) throw new Error('nothing waits')
  return { errand, approval }
}

describe('what crosses a boundary', () => {
  test('is denied for ever by a rule that is read out first, and that Policy shows and takes back', async () => {
    const { errand, approval } = await asked(read('d.txt'))
    await open(approval)
    await page.keyboard.press('n')
    const choice = page.getByRole('combobox', { name: 'When it comes again' })
    expect(await choice.inputValue()).toBe('target')
    await page.getByRole('dialog').getByText(outside('d.txt')).last().waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('From now on this is refused without asking').first().waitFor()
    await errand.ended()
    const again = await scene.tell([read('d.txt')])
    expect((await again.ended()).calls[0]?.outcome).toBe('denied')
    await page.goto(entered.at('/policy'))
    await page.getByRole('button', { name: /^Remove the rule:.*d\.txt/ }).click()
    await page.getByRole('button', { name: /^Put in force/ }).click()
    await page.getByText('You have no rules of your own yet').waitFor()
  })

  test('is approved with one key, and runs', async () => {
    const { errand, approval } = await asked(read('a.txt'))
    expect(approval.card.tier).toBe(2)
    await open(approval)
    await armed().waitFor()
    await page.keyboard.press('a')
    await page
      .getByText(/^Approved by/)
      .filter({ visible: true })
      .first()
      .waitFor()
    expect((await errand.ended()).run.text).toBe('Got: content of a.txt')
  })

  test('is denied with a reason, and the agent is told', async () => {
    const { errand, approval } = await asked(read('a.txt'))
    await open(approval)
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Look in b.txt instead.')
    await dialog.getByRole('button', { name: 'Deny', exact: true }).click()
    const { run, calls } = await errand.ended()
    expect(run.text).toContain('Look in b.txt instead.')
    expect(run.text).not.toContain('content of a.txt')
    expect(calls).toMatchObject([{ outcome: 'denied' }])
  })

  test('is edited into another request, which shows the change and is what runs', async () => {
    const { errand, approval } = await asked(read('a.txt'))
    await open(approval)
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'path' }).fill(outside('b.txt'))
    await dialog.getByRole('button', { name: 'Save and check again' }).click()
    const edited = await until(async () =>
      (await scene.gateway.client.approvals({ state: 'pending' })).find(
        ({ replaces }) => replaces === approval.id,
      ),
    )
    expect(edited.digest).not.toBe(approval.digest)
    // The page goes on to the request that took the place of this one.
    await page.getByText('Your changes').waitFor()
    await page.getByText(`- ${outside('a.txt')}`).waitFor()
    await page.getByText(`+ ${outside('b.txt')}`).waitFor()
    await armed().click()
    const { text } = (await errand.ended()).run
    expect(text).toContain('The operator changed the arguments')
    expect(text).toContain('content of b.txt')
    expect(text).not.toContain('content of a.txt')
  })

  test('in a batch means exactly what was shown: what came later still waits', async () => {
    const first = await scene.tell([read('a.txt'), read('b.txt'), read('c.txt')])
    const shown = await first.waiting(3)
    await page.goto(entered.at('/approvals'))
    await page.getByText('and 2 more by the same rule').waitFor()
    await page.getByRole('checkbox').first().check()
    await page.getByText('3 requests selected').waitFor()
    const later = await asked(read('d.txt'))
    await page
      .getByText(/d\.txt/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Approve 3', exact: true }).click()
    await page.getByText('3 approved.').first().waitFor()
    expect((await first.ended()).run.text).toBe('Got: content of a.txt | content of b.txt | content of c.txt')
    const waiting = await scene.gateway.client.approvals({ state: 'pending' })
    expect(waiting.map(({ id }) => id)).toEqual([later.approval.id])
    expect(shown.map(({ id }) => id)).not.toContain(later.approval.id)
  })
})

test('what one task asks stands together under its words, and what another asks does not come in between', async () => {
  const first = await scene.tell([read('a.txt'), makefile])
  await first.waiting(2)
  const other = await asked(read('d.txt'))
  await page.goto(entered.at('/approvals'))
  const list = page.getByRole('list', { name: 'Requests waiting for you' })
  await list
    .getByText(/d\.txt/)
    .first()
    .waitFor()
  const heading = list.getByRole('heading', { level: 2 })
  expect(await heading.count()).toBe(1)
  expect(await heading.innerText()).toMatch(/^\[\{"name":"read_file".*…$/)
  const task = list.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2 }) })
  expect(await task.getByRole('link').count()).toBe(2)
  expect(await task.getByRole('link', { name: /Makefile/ }).count()).toBe(1)
  expect(await task.getByText(other.approval.card.headline).count()).toBe(0)
})

describe('opening a request decides nothing', () => {
  test('nothing that decides has the focus, and Enter and Space approve nothing', async () => {
    const { approval } = await asked(read('a.txt'))
    await open(approval)
    await armed().waitFor()
    expect(await page.evaluate('document.activeElement?.tagName')).not.toBe('BUTTON')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    // Even on the button itself: Enter is pressed by reflex.
    await armed().focus()
    await page.keyboard.press('Enter')
    const { approval: now } = await scene.gateway.client.approval(approval.id)
    expect(now.state).toBe('pending')
  })

  test('an approval counts only after the card has stood still for 600 ms', async () => {
    const { approval } = await asked(read('a.txt'))
    await page.goto(entered.at('/approvals'))
    const row = page.getByRole('link', { name: /a\.txt/ })
    await row.waitFor()
    // In the page itself, so that no delay of the test counts: click and key in every frame until the button is armed.
    const tooEarly = await page.evaluate<number>(`new Promise((resolve) => {
      const link = [...document.querySelectorAll('a')].find((each) => each.href.endsWith('/${approval.code}'))
      link.click()
      let clicks = 0
      const look = () => {
        const button = [...document.querySelectorAll('button')].find((each) => /^Approve once/.test(each.textContent))
        if (button) {
          if (button.getAttribute('aria-disabled') === null) return resolve(clicks)
          clicks += 1
          button.click()
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
        }
        requestAnimationFrame(look)
      }
      look()
    })`)
    expect(tooEarly).toBeGreaterThan(0)
    expect((await scene.gateway.client.approval(approval.id)).approval.state).toBe('pending')
  })
})

describe('what is outward', () => {
  test('is sealed by the key of this browser, and runs in the executor', async () => {
    const { errand, approval } = await asked(linking('sealed.txt'))
    expect(approval.card.tier).toBe(3)
    await open(approval)
    await armed().click()
    await errand.ended()
    expect(existsSync(inside('sealed.txt'))).toBe(true)
    const ledger = await new Response(await scene.gateway.client.exportLedger()).text()
    expect(ledger).toContain(entered.device)
  })

  test.each(['digest', 'signature'] as const)(
    'does not run when one byte of its %s is changed',
    async (part) => {
      const { approval } = await asked(linking(`changed-${part}.txt`))
      await open(approval)
      await expectNoWay(approval, part, `changed-${part}.txt`)
    },
  )

  test('is not even sealed when another call is shown than the one that would run', async () => {
    const { approval } = await asked(linking('shown.txt'))
    await page.route(/\/v1\/approvals\/[^/]+$/, async (route) => {
      const answer = await route.fetch()
      const text = await answer.text()
      const changed = text.replaceAll('shown.txt', 'sh0wn.txt')
      await route.fulfill(signedAnswer(scene.installation, route.request(), answer.status(), changed))
    })
    await open(approval)
    await armed().click()
    await page
      .getByText(/^Not approved, because/)
      .first()
      .waitFor()
    await page.unrouteAll()
    await expectPending(approval, 'shown.txt')
  })

  test('does not run when the browser was revoked before it decided', async () => {
    const other = await scene.enter('/approvals')
    const { approval } = await asked(linking('revoked.txt'))
    await open(approval, other)
    await armed(other.page).waitFor()
    await revoke(scene.installation, scene.gateway, other.device)
    await approveButton(other.page)
      .click({ timeout: 2_000 })
      .catch(() => undefined)
    await other.page
      .getByText(/Signed out|revoked|not known|may not/i)
      .first()
      .waitFor()
    await expectPending(approval, 'revoked.txt')
    await other.page.context().close()
  })
})

describe('what is critical', () => {
  let credential: string

  beforeAll(async () => {
    await page.goto(entered.at('/approvals'))
    await isLive(page)
    await addAuthenticator(page)
    credential = await makePasskey(page, scene.installation.identity.trust.gateway.id, entered.device)
  })

  test('is proved by a passkey, and runs in the executor', async () => {
    const { errand, approval } = await asked(python('critical.txt'))
    expect(approval.card.tier).toBe(4)
    await open(approval)
    await armed().click()
    await errand.ended()
    expect(existsSync(inside('critical.txt'))).toBe(true)
  })

  test.each(['digest', 'signature', 'clientData', 'authenticatorData'] as const)(
    'does not run when one byte of its %s is changed',
    async (part) => {
      const { approval } = await asked(python(`critical-${part}.txt`))
      await open(approval)
      await expectNoWay(approval, part, `critical-${part}.txt`)
    },
  )

  test('does not run when the passkey was revoked', async () => {
    const { approval } = await asked(python('critical-revoked.txt'))
    await open(approval)
    await armed().waitFor()
    await revoke(scene.installation, scene.gateway, credential)
    await armed().click()
    await page
      .getByText(/none is registered|revoked/)
      .first()
      .waitFor()
    await expectPending(approval, 'critical-revoked.txt')
  })
})

test('two browsers that decide at once make one verdict, and both show it', async () => {
  const other = await scene.enter('/approvals')
  const command = 'echo once >> twice.txt; ln -s /etc/hostname twice-out'
  const { errand, approval } = await asked({ name: 'execute_shell', args: { command } })
  await Promise.all([open(approval), open(approval, other)])
  await Promise.all([armed().waitFor(), armed(other.page).waitFor()])
  await Promise.all([page.keyboard.press('a'), other.page.keyboard.press('a')])
  await errand.ended()
  expect(readFileSync(inside('twice.txt'), 'utf8')).toBe('once\n')
  for (const each of [page, other.page]) {
    await each.goto(entered.at(`/approvals/${approval.id}`))
    await each
      .getByText(/^Approved by/)
      .filter({ visible: true })
      .first()
      .waitFor()
    expect(await approveButton(each).count()).toBe(0)
  }
  await other.page.context().close()
})

/** Changes it on the way, and then before the request is signed, so that only the seal itself can tell. */
async function expectNoWay(approval: ApprovalView, part: string, file: string): Promise<void> {
  await page.route(/\/decision$/, (route) =>
    route.continue({ postData: withOtherByte(route.request().postData() ?? '', part) }),
  )
  await expectRefusal(approval, file)
  await page.unrouteAll()
  await page.reload()
  await isLive(page)
  await changeBeforeSigning(page, part)
  await expectRefusal(approval, file)
}

async function expectRefusal(approval: ApprovalView, file: string): Promise<void> {
  await armed().waitFor()
  const [answer] = await Promise.all([page.waitForResponse(/\/decision$/), armed().click()])
  expect(answer.status()).toBeGreaterThanOrEqual(400)
  await armed().waitFor()
  await expectPending(approval, file)
}

/** The first character of its text is another; one of base64 changes the first byte. */
function withOtherByte(body: string, part: string): string {
  const changed = body.replace(
    new RegExp(`("${part}":")(.)`),
    (_all, before: string, first: string) => `${before}${first === 'a' ? 'b' : 'a'}`,
  )
  if (changed === body) throw new Error(`There is no ${part} in ${body}`)
  return changed
}

async function expectPending({ id }: ApprovalView, file: string): Promise<void> {
  const { approval } = await scene.gateway.client.approval(id)
  expect(approval.state).toBe('pending')
  expect(existsSync(inside(file))).toBe(false)
}
