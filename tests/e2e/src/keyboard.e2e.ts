/** Forty tasks without a mouse. Whatever is pressed on the way can be seen, and nothing holds the focus. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalView } from '@countersign/contract'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sampled, sized } from '../../size.ts'
import { dialogHears } from './dialog.ts'
import { type Keyboard, keyboardOf } from './keyboard.ts'
import { isLive, type PairedPage } from './pairing.ts'
import { obedient, openScene, type Scene, tell } from './scene.ts'
import { hasSettled, screens } from './screens.ts'
import { until } from './until.ts'
import { keepOne } from './week.ts'

interface Task {
  readonly name: string
  /** Where the person is when they begin. */
  readonly at: string
  readonly task: (keys: Keyboard) => Promise<void>
}

let scene: Scene
let entered: PairedPage
let page: Page
let keys: Keyboard

beforeAll(async () => {
  scene = await openScene({
    script: async (turn) => {
      if (turn.lastUser === 'take your time') return { text: 'slowly '.repeat(400), tokenDelayMs: 200 }
      if (turn.lastUser.includes('Why this file?')) return { text: 'Because you asked for it.' }
      return obedient(turn)
    },
  })
  for (const name of ['a.txt', 'b.txt']) writeFileSync(outside(name), `content of ${name}`)
  await keepOne(scene.gateway)
  const greeting = await tell(scene.gateway, 'hello')
  await greeting.ended()
  const { session } = greeting
  await (await scene.tell([{ name: 'list_directory', args: { path: '.' } }], session)).ended()
  entered = await scene.enter('/')
  page = entered.page
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  keys = keyboardOf(page)
})
afterAll(() => scene.close())

/** A request of an earlier task may come late, and a task that counts what waits would count it too. */
const refuseOthers = (own: readonly ApprovalView[]) =>
  until(
    async () => {
      const pending = await scene.gateway.client.approvals({ state: 'pending' })
      const others = pending.filter(({ id }) => own.every((each) => each.id !== id))
      for (const { id } of others)
        await scene.gateway.client
          .decide(id, { verdict: 'deny', reason: '', stop: true })
          // Another of the same run went with it.
          .catch(() => undefined)
      return others.length === 0
    },
    { what: 'the end of what waits' },
  )
afterEach(() => refuseOthers([]))

const outside = (name: string) => join(scene.installation.home, name)
const read = (name: string) => ({ name: 'read_file', args: { path: outside(name) } })
/** Of the workspace, and asked about because make runs what it says. */
const makes = (name: string) => ({ name: 'write_file', args: { path: `${name}/Makefile`, content: 'all:' } })
const at = (path: RegExp) => until(() => path.test(new URL(page.url()).pathname), { what: String(path) })
const text = (words: RegExp) => page.getByText(words).first().waitFor()
const gone = (words: RegExp) => until(async () => (await page.getByText(words).count()) === 0)
const stateOf = async ({ id }: ApprovalView) => (await scene.gateway.client.approval(id)).approval.state
const becomes = (approval: ApprovalView, state: string) =>
  until(async () => (await stateOf(approval)) === state, { what: `${approval.code} ${state}` })

async function grantOf({ id }: ApprovalView) {
  return (await scene.gateway.client.grants()).find(
    ({ approval, state }) => approval === id && state === 'active',
  )
}

async function opened(call = read('a.txt')): Promise<ApprovalView> {
  const [approval] = await (await scene.tell([call])).waiting()
  if (!approval) throw new Error('nothing waits')
  await page
    .getByRole('link', { name: new RegExp(String(call.args.path)) })
    .first()
    .waitFor()
  await keys.press('Control+Shift+J')
  await at(new RegExp(`/approvals/${approval.code}$`))
  await page.locator('button:not([aria-disabled])', { hasText: /^Approve once/ }).waitFor()
  return approval
}

const letters: Readonly<Record<string, string>> = {
  today: 't',
  chat: 'c',
  goals: 'g',
  automations: 'u',
  agents: 'e',
  approvals: 'a',
  activity: 'v',
  ledger: 'l',
  policy: 'p',
  costs: '$',
  library: 'b',
  files: 'f',
  memory: 'm',
  models: 'o',
  tools: 'x',
  channels: 'n',
  extensions: 'i',
  devices: 'd',
  health: 'h',
}

const goTasks: readonly Task[] = screens
  .filter(({ name }) => name in letters)
  .map(({ name, path }) => ({
    name: `go to ${name}`,
    at: path === '/costs' ? '/' : '/costs',
    task: async () => {
      await keys.press('g', letters[name] ?? '')
      await at(new RegExp(`^${path}$`))
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    },
  }))

const tasks: readonly Task[] = [
  ...goTasks,
  {
    name: 'skip to the content',
    at: '/costs',
    task: async () => {
      await keys.press('Tab', 'Enter')
      expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
    },
  },
  {
    name: 'go somewhere by its name',
    at: '/',
    task: async () => {
      await keys.press('Control+K')
      await page.getByRole('combobox').waitFor()
      await keys.type('ledg')
      await keys.press('Enter')
      await at(/^\/ledger/)
    },
  },
  {
    name: 'close the palette and be where one was',
    at: '/costs',
    task: async () => {
      await keys.press('Control+K')
      await dialogHears(page)
      await keys.press('Escape')
      await until(async () => (await page.getByRole('dialog').count()) === 0)
      await at(/^\/costs$/)
    },
  },
  {
    name: 'see which keys there are',
    at: '/approvals',
    task: async () => {
      await keys.press('?')
      await page.getByRole('dialog').getByText('Search and commands').waitFor()
      await dialogHears(page)
      await keys.press('Escape')
      await until(async () => (await page.getByRole('dialog').count()) === 0)
    },
  },
  {
    name: 'pause everything, and let it go on',
    at: '/',
    task: async () => {
      await keys.press('Control+Shift+.')
      await text(/^Everything is paused$/)
      await keys.tabTo(/^Resume/)
      await keys.press('Enter')
      await gone(/^Everything is paused$/)
    },
  },
  {
    name: 'copy the link to a page',
    at: '/costs',
    task: async () => {
      await keys.press('y')
      await text(/copied/)
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/costs')
    },
  },
  {
    name: 'move through the requests',
    at: '/approvals',
    task: async () => {
      await (await scene.tell([read('a.txt')])).waiting()
      await (await scene.tell([read('b.txt')])).waiting()
      await text(/2 waiting/)
      const shows = (words: RegExp) => page.getByRole('heading', { level: 2, name: words }).waitFor()
      await keys.press('j')
      await shows(/a\.txt$/)
      await keys.press('j')
      await shows(/b\.txt$/)
      await keys.press('k')
      await shows(/a\.txt$/)
      await keys.press('Escape')
      await at(/^\/approvals$/)
    },
  },
  {
    name: 'approve once',
    at: '/approvals',
    task: async () => {
      const approval = await opened()
      await keys.press('a')
      await becomes(approval, 'approved')
    },
  },
  {
    name: 'approve by the button',
    at: '/approvals',
    task: async () => {
      const approval = await opened()
      await keys.tabTo(/^Approve once/)
      await keys.press('Space')
      await becomes(approval, 'approved')
    },
  },
  {
    name: 'approve for the run from the menu',
    at: '/approvals',
    task: async () => {
      // Of what strangers may have written, such as a file outside, nothing is allowed for a run or a session.
      const approval = await opened(makes('run.mk'))
      await keys.tabTo(/^Allow more/)
      await keys.press('Enter')
      await page.getByRole('menuitem').first().waitFor()
      await keys.press('ArrowDown', 'ArrowUp', 'Enter')
      await becomes(approval, 'approved')
    },
  },
  {
    name: 'approve for the session',
    at: '/approvals',
    task: async () => {
      const approval = await opened(makes('session.mk'))
      await keys.press('s')
      await becomes(approval, 'approved')
      expect(await grantOf(approval)).toBeDefined()
    },
  },
  {
    name: 'create a rule',
    at: '/approvals',
    task: async () => {
      const approval = await opened()
      await keys.press('p')
      await text(/^Covers/)
      await keys.tabTo(/^Approve and save the rule/)
      await keys.press('Space')
      await becomes(approval, 'approved')
      const grant = await grantOf(approval)
      expect(grant).toBeDefined()
      await scene.gateway.client.revokeGrant(grant?.id ?? '')
    },
  },
  {
    name: 'deny with a reason',
    at: '/approvals',
    task: async () => {
      const approval = await opened()
      await keys.press('d')
      await page.getByRole('dialog').waitFor()
      // The reason has the focus, and one more key denies.
      await page.locator('[role=dialog] textarea:focus').waitFor()
      await keys.type('Not this one.')
      await keys.press('Control+Enter')
      await becomes(approval, 'denied')
      expect((await scene.gateway.client.approval(approval.id)).approval.reason).toBe('Not this one.')
    },
  },
  {
    name: 'deny and stop the run',
    at: '/approvals',
    task: async () => {
      const approval = await opened()
      await keys.press('Shift+D')
      await page.getByRole('dialog').waitFor()
      await keys.tabTo(/^Deny/)
      await keys.press('Enter')
      await becomes(approval, 'denied')
      await until(async () => (await scene.gateway.client.run(approval.run)).run.state === 'stopped')
    },
  },
  {
    name: 'edit a call',
    at: '/approvals',
    task: async () => {
      const approval = await opened()
      await keys.press('e')
      await page.getByRole('dialog').waitFor()
      await keys.tabTo(/^path/)
      await keys.press('Control+A')
      await keys.type(outside('b.txt'))
      await keys.tabTo(/^Save and check again/)
      await keys.press('Enter')
      await becomes(approval, 'superseded')
    },
  },
  {
    name: 'ask the agent about a request',
    at: '/approvals',
    task: async () => {
      await opened()
      await keys.press('q')
      await page.getByRole('dialog').waitFor()
      await keys.tabTo(/^Your question/)
      await keys.type('Why this file?')
      await keys.tabTo(/^Ask$/)
      await keys.press('Enter')
      await text(/^Because you asked for it\.$/)
    },
  },
  {
    name: 'let a request wait longer',
    at: '/approvals',
    task: async () => {
      const approval = await opened()
      await keys.press('z')
      await until(
        async () =>
          (await scene.gateway.client.approval(approval.id)).approval.expiresAt > approval.expiresAt,
      )
    },
  },
  {
    name: 'approve several together',
    at: '/approvals',
    task: async () => {
      const errand = await scene.tell([read('a.txt'), { name: 'read_file', args: { path: '/etc/hostname' } }])
      const waiting = await errand.waiting(2)
      await refuseOthers(waiting)
      await text(/2 waiting/)
      await keys.tabTo(/^Select:/)
      await keys.press('Space')
      await text(/2 requests selected/)
      await keys.press('Shift+Tab')
      await keys.tabTo(/^Approve 2$/)
      await keys.press('Space')
      await text(/^2 approved\.$/)
      for (const approval of waiting) expect(await stateOf(approval)).toBe('approved')
    },
  },
  {
    name: 'see only the requests of one tier',
    at: '/approvals',
    task: async () => {
      const link = { name: 'execute_shell', args: { command: 'ln -s /etc/hostname way-out' } }
      for (const call of [read('a.txt'), link]) await (await scene.tell([call])).waiting()
      await text(/2 waiting/)
      await keys.tabTo(/^Tier/)
      for (const tier of ['1', '2', '3']) {
        await keys.press('ArrowDown')
        await until(() => page.evaluate<boolean>(`document.activeElement.value === '${tier}'`), {
          what: `tier ${tier}`,
        })
      }
      const list = page.getByRole('list', { name: 'Requests waiting for you' })
      await until(async () => (await list.getByText(/^Read .*a\.txt/).count()) === 0)
      await list
        .getByText(/way-out/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'begin a conversation',
    at: '/chat',
    task: async () => {
      await keys.press('n', 'i')
      await until(() => page.evaluate<boolean>('document.activeElement.id === "composer"'))
      await keys.type('good morning')
      await keys.press('Enter')
      await text(/^You said: good morning$/)
    },
  },
  {
    name: 'stop a run',
    at: '/chat/new',
    task: async () => {
      await keys.press('i')
      await keys.type('take your time')
      await keys.press('Enter')
      await at(/^\/chat\/ses_/)
      await page.getByRole('button', { name: /^Stop/ }).waitFor()
      await keys.press('Control+.')
      await text(/^stopped by you$/)
    },
  },
  {
    name: 'open what a call did',
    at: '/chat',
    task: async () => {
      const errand = await scene.tell([{ name: 'list_directory', args: { path: '.' } }])
      await errand.ended()
      await page.goto(entered.at(`/chat/${errand.session}`))
      await page.getByRole('log').waitFor()
      await keys.tabTo(/^Done, ?List/)
      await keys.press('Enter')
      await page.getByRole('log').getByText('Policy', { exact: true }).waitFor()
    },
  },
  {
    name: 'go through a run again, step by step',
    at: '/activity',
    task: async () => {
      await page.getByRole('link').filter({ hasText: /call/ }).first().waitFor()
      await keys.press('j')
      await at(/^\/activity\/run_/)
      await text(/^\d+ of \d+/)
      const before = await page
        .getByText(/^\d+ of \d+/)
        .first()
        .innerText()
      await keys.press('ArrowLeft')
      await until(
        async () =>
          (await page
            .getByText(/^\d+ of \d+/)
            .first()
            .innerText()) !== before,
      )
    },
  },
  {
    name: 'undo what a run did',
    at: '/activity',
    task: async () => {
      const file = join(scene.installation.paths.workspace, 'undo-me.txt')
      const errand = await scene.tell([{ name: 'write_file', args: { path: 'undo-me.txt', content: 'x' } }])
      await errand.ended()
      expect(existsSync(file)).toBe(true)
      await page.goto(entered.at(`/activity/${errand.run}`))
      await page.getByRole('button', { name: /^Undo/ }).waitFor()
      await keys.press('Shift+U')
      await page.getByRole('dialog').waitFor()
      await keys.tabTo(/^Undo 1$/)
      await keys.press('Enter')
      await until(() => !existsSync(file))
    },
  },
  {
    name: 'ask the ledger',
    at: '/ledger',
    task: async () => {
      await keys.press('/')
      await keys.type('tool:write_file')
      await keys.press('Enter')
      await until(() => decodeURIComponent(page.url()).includes('tool:write_file'))
    },
  },
  {
    name: 'choose the dark theme',
    at: '/settings',
    task: async () => {
      await keys.tabTo(/^Same as system$/)
      await keys.press('ArrowRight', 'ArrowRight')
      await until(() => page.evaluate<boolean>('document.documentElement.dataset.theme === "dark"'))
      await keys.press('ArrowLeft', 'ArrowLeft')
    },
  },
  {
    name: 'switch the single letters off and on again',
    at: '/settings',
    task: async () => {
      await keys.tabTo(/^Single-letter shortcuts/)
      await keys.press('Space')
      await until(
        async () => (await page.getByRole('switch').first().getAttribute('aria-checked')) === 'false',
      )
      await keys.press('g', 't')
      expect(new URL(page.url()).pathname).toBe('/settings')
      await keys.press('Space')
      await keys.press('g', 't')
      await at(/^\/$/)
    },
  },
]

test('there are forty tasks or more', () => expect(tasks.length).toBeGreaterThanOrEqual(40))

describe('by the keyboard alone one can', () => {
  test.each(sampled(tasks, 3))('$name', async ({ at: place, task }) => {
    await page.goto(entered.at(place))
    await isLive(page)
    await hasSettled(page)
    await task(keys)
  })
})

describe('Tab comes around', () => {
  test.each(sized<readonly (typeof screens)[number][]>(screens, screens.slice(4, 8)))(
    'on $name, and is seen everywhere',
    { timeout: 300_000 },
    async ({ path }) => {
      await page.goto(entered.at(path))
      await hasSettled(page)
      const { unseen } = await keys.tabAround(sized(400, 60))
      expect(unseen).toEqual([])
    },
  )
})
