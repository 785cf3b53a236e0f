/**
 * What a person sees when something breaks: each fault is really made, against a real gateway, and looked at in a page
 * and in a terminal. `pnpm faults` makes all of them and writes the table and the pictures; a check makes a few.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GatewayProcess } from '@countersign/harness'
import { faultyReplies, type Script, type ScriptReply } from '@countersign/model-servers'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReport } from './faults/report.ts'
import { command, openTerminal } from './faults/terminal.ts'
import { isLive, type PairedPage } from './pairing.ts'
import { obedient, openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

/** Where the table and the pictures go; without it only the faults that no other test makes are made. */
const folder = process.env['COUNTERSIGN_FAULTS']
const isFull = folder !== undefined
const report = createReport(folder)
afterAll(() => report.write())

const hourMs = 3_600_000
const replies: Readonly<Record<string, ScriptReply>> = {
  ...faultyReplies,
  slow: { text: 'At last.', firstDelayMs: 120_000 },
  long: { text: 'word '.repeat(60), tokenDelayMs: 300, chunkSize: 5 },
}
const script: Script = (turn) => replies[turn.lastUser] ?? obedient(turn)

const wordsOf = async (place: Locator) => {
  await place.first().waitFor()
  return place.first().innerText()
}
const say = async (page: Page, text: string) => {
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill(text)
  await box.press('Enter')
}

describe('with a gateway, a page and a terminal', () => {
  let scene: Scene
  let gateway: GatewayProcess
  let entered: PairedPage
  let page: Page

  beforeAll(async () => {
    scene = await openScene({ script, passing: true })
    gateway = scene.gateway
    entered = await scene.enter('/chat/new')
    page = entered.page
  })
  afterAll(() => scene.close())

  test.runIf(isFull).each(['wrong key', 'no credit', 'too often', 'broken', 'cut', 'empty'])(
    'the model fails: %s',
    async (fault) => {
      await page.goto(entered.at('/chat/new'))
      await isLive(page)
      await say(page, fault)
      const told = page
        .getByRole('alert')
        .filter({ has: page.getByRole('button', { name: 'Try again' }) })
        .or(page.getByRole('region', { name: 'The model failed' }).filter({ hasText: 'Next try in' }))
      await report.see(`model: ${fault}`, 'page', () => wordsOf(told))
      await report.picture(page, `model-${fault.replace(' ', '-')}`)
      const terminal = openTerminal(scene.installation, ['chat'])
      terminal.type(fault)
      await report.see(`model: ${fault}`, 'terminal chat', () =>
        terminal.shows(/Failed|Next try|Trying again/),
      )
      await terminal.close()
    },
  )

  test('the model is slow', async () => {
    await page.goto(entered.at('/chat/new'))
    await isLive(page)
    await say(page, 'slow')
    await report.see('model: slow', 'page', () => wordsOf(page.getByText(/^Thinking/)))
    await page.getByRole('button', { name: 'Stop' }).first().waitFor()
    await report.picture(page, 'model-slow')
    await page.getByRole('button', { name: 'Stop' }).first().click()
    await page
      .getByText(/stopped/i)
      .first()
      .waitFor()
  })

  test('one tab decides, the other shows it', async () => {
    const other = await page.context().newPage()
    const errand = await scene.tell([
      { name: 'read_file', args: { path: join(scene.installation.home, 'trust.json') } },
    ])
    const [approval] = await errand.waiting()
    for (const tab of [page, other]) {
      await tab.goto(entered.at(`/approvals/${approval?.code ?? ''}`))
      await tab.locator('button:not([aria-disabled])', { hasText: 'Approve once' }).waitFor()
    }
    await page.locator('button:not([aria-disabled])', { hasText: 'Approve once' }).click()
    await report.see('two tabs', 'the other page', () =>
      wordsOf(other.getByText(/^Approved/).filter({ visible: true })),
    )
    await report.picture(other, 'two-tabs')
    expect(await other.getByRole('button', { name: /^Approve once/ }).count()).toBe(0)
    await errand.ended()
    await other.close()
  })

  test('the gateway is killed, and comes back', async () => {
    await page.goto(entered.at('/chat/new'))
    await isLive(page)
    const terminal = openTerminal(scene.installation, ['chat'])
    terminal.type('hello')
    await terminal.shows(/You said: hello/)
    await gateway.kill()
    await report.see('gateway killed', 'page', () => wordsOf(page.getByText('Reconnecting…')))
    await report.see('gateway killed', 'terminal chat', () => terminal.shows(/Reconnecting…/))
    await report.see('gateway killed, stays away', 'page', () =>
      wordsOf(page.getByRole('status').filter({ hasText: 'Countersign does not answer' })),
    )
    await report.picture(page, 'gateway-killed')
    await report.see('gateway killed, stays away', 'terminal chat', () => terminal.shows(/countersign up/))
    await report.see('gateway killed', 'terminal status', () => command(scene.installation, 'status'))
    await report.see('gateway killed', 'terminal ask', () => command(scene.installation, 'ask', 'hello'))
    await say(page, 'written meanwhile')
    terminal.type('typed meanwhile')
    gateway = await scene.installation.start({}, Number(new URL(gateway.url).port))
    await report.see('gateway back', 'page', async () => {
      await isLive(page)
      return 'Live'
    })
    await report.see('gateway back', 'terminal chat', () => terminal.shows(/Connected again/))
    await page.getByText('You said: written meanwhile').waitFor()
    await terminal.shows(/You said: typed meanwhile/)
    await report.picture(page, 'gateway-back')
    await terminal.close()
  })

  test.runIf(isFull)('the database is gone, and comes back by itself', async () => {
    await page.goto(entered.at('/chat/new'))
    await isLive(page)
    const terminal = openTerminal(scene.installation, ['chat'])
    terminal.type('hello')
    await terminal.shows(/You said: hello/)
    const before = scene.installation.databasePid() ?? 0
    process.kill(before, 'SIGQUIT')
    await report.see('database gone', 'page', () => wordsOf(page.getByText('Reconnecting…')))
    await report.picture(page, 'database-gone')
    await report.see('database gone', 'terminal chat', () => terminal.shows(/Reconnecting…/))
    await report.see('database back', 'page', async () => {
      await isLive(page)
      return 'Live'
    })
    await report.see('database back', 'terminal chat', () => terminal.shows(/Connected again/))
    expect(scene.installation.databasePid()).not.toBe(before)
    await say(page, 'after the database')
    await page.getByText('You said: after the database').waitFor()
    await terminal.close()
  })

  test.runIf(isFull)('the database hangs', async () => {
    await page.goto(entered.at('/health'))
    await isLive(page)
    const postgres = postgresOf(scene)
    for (const pid of postgres) process.kill(pid, 'SIGSTOP')
    try {
      await page.getByRole('link', { name: 'Activity' }).first().click()
      await report.see('database hangs', 'page', () =>
        wordsOf(page.getByRole('status').filter({ hasText: 'The database does not answer' })),
      )
      await report.picture(page, 'database-hangs')
      await report.see('database hangs', 'terminal status', () => command(scene.installation, 'status'))
    } finally {
      for (const pid of postgres) process.kill(pid, 'SIGCONT')
    }
    await page
      .getByRole('status')
      .filter({ hasText: 'The database does not answer' })
      .waitFor({ state: 'detached' })
  })

  test('the page has no network for an hour', async () => {
    const offline = await scene.enter('/chat/new')
    const away = offline.page
    await away.clock.install()
    await away.reload()
    await isLive(away)
    await away.context().setOffline(true)
    await report.see('offline', 'page', () =>
      wordsOf(away.getByRole('status').filter({ hasText: 'This device has no network' })),
    )
    await report.picture(away, 'offline')
    await say(away, 'written on the train')
    await away.getByText(/waiting for the connection/).waitFor()
    scene.installation.pass(hourMs)
    await away.clock.fastForward(hourMs)
    await away.context().setOffline(false)
    await report.see('offline for an hour, then back', 'page', async () => {
      await isLive(away)
      return wordsOf(away.getByText('You said: written on the train'))
    })
    await report.picture(away, 'offline-back')
    await away.context().close()
  })

  test.each([['ahead', hourMs] as const, ...(isFull ? [['behind', -hourMs] as const] : [])])(
    'the clock of the browser is an hour %s',
    async (way, ms) => {
      const wrong = await scene.enter('/approvals', { aheadMs: aheadOfGateway() })
      await wrong.page.evaluate(shiftClock, ms)
      await wrong.page.getByRole('link', { name: 'Activity' }).first().click()
      await report.see(`clock of the browser an hour ${way}`, 'page', () =>
        wordsOf(wrong.page.getByRole('status').filter({ hasText: 'clock' })),
      )
      await report.picture(wrong.page, `clock-${way}`)
      expect(await wrong.page.getByText('Pair it again').count()).toBe(0)
      await wrong.page.evaluate(shiftClock, -ms)
      await wrong.page.getByRole('status').filter({ hasText: 'clock' }).waitFor({ state: 'detached' })
      await wrong.page.context().close()
    },
  )

  test.runIf(isFull)('the clock of the gateway jumps back', async () => {
    scene.installation.pass(-2 * hourMs)
    await report.see('clock of the gateway two hours back', 'terminal status', () =>
      command(scene.installation, 'status'),
    )
    scene.installation.pass(hourMs)
    expect(await command(scene.installation, 'status')).toMatch(/working/)
  })

  /** After an hour was let pass, everybody who speaks to this gateway lives an hour later. */
  function aheadOfGateway(): number {
    return scene.installation.now().getTime() - Date.now()
  }
})

/** The server of the database and all that work for it. */
function postgresOf({ installation }: Scene): number[] {
  const server = installation.databasePid() ?? 0
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server)], { encoding: 'utf8' })
  return [server, ...children.split('\n').map(Number).filter(Boolean)]
}

/** Runs in the page. */
function shiftClock(ms: number): void {
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given: []) {
      if (given.length === 0) super(Real.now() + ms)
      else super(...given)
    }
    static override now() {
      return Real.now() + ms
    }
  } as DateConstructor
}

describe.runIf(isFull)('with no provider at all', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene({
      script,
      environment: { COUNTERSIGN_MODEL: '', COUNTERSIGN_MODEL_URL: '', COUNTERSIGN_MODEL_KEY: '' },
    })
  })
  afterAll(() => scene.close())

  test('says so before and after a message, and where to add one', async () => {
    const { page, at } = await scene.enter('/')
    await report.see('no provider', 'Today', () => wordsOf(page.getByText(/no model/i)))
    await report.picture(page, 'no-provider-today')
    await page.goto(at('/chat/new'))
    await say(page, 'hello')
    await report.see('no provider', 'page', () =>
      wordsOf(page.getByRole('alert').filter({ hasText: 'No model' })),
    )
    await report.picture(page, 'no-provider')
    await report.see('no provider', 'terminal ask', () => command(scene.installation, 'ask', 'hello'))
    await report.see('no provider', 'terminal status', () => command(scene.installation, 'status'))
  })
})

describe.runIf(isFull && process.getuid?.() === 0)('with a full disk', () => {
  let scene: Scene
  let home: string
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'countersign-full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', home])
    scene = await openScene({ script, home })
  })
  afterAll(async () => {
    await scene.close().catch((error: unknown) => console.log(error))
    execFileSync('umount', [home])
    rmSync(home, { recursive: true, force: true })
  })

  test('says that the disk is full, and goes on when there is room', async () => {
    const { page, at } = await scene.enter('/chat/new')
    const filler = fill(home)
    await say(
      page,
      JSON.stringify([{ name: 'write_file', args: { path: 'big.txt', content: 'x'.repeat(90_000) } }]),
    )
    await report.see('disk full', 'page', () => wordsOf(page.getByText(/disk|space/i)))
    await report.picture(page, 'disk-full')
    await report.see('disk full', 'terminal ask', () => command(scene.installation, 'ask', 'hello'))
    await report.see('disk full', 'terminal status', () => command(scene.installation, 'status'))
    await page.goto(at('/health'))
    await report.see('disk full', 'Health', () => wordsOf(page.getByText(/space/i)))
    await report.picture(page, 'disk-full-health')
    rmSync(filler)
    await until(async () => (await command(scene.installation, 'ask', 'again')).includes('You said: again'))
  })

  /** Leaves nothing. */
  function fill(disk: string): string {
    const path = join(disk, 'filler')
    const file = openSync(path, 'w')
    const block = Buffer.alloc(65_536, 1)
    try {
      for (;;) {
        const { bavail, bsize } = statfsSync(disk)
        if (bavail === 0) return path
        writeSync(file, block, 0, Math.min(block.length, bavail * bsize))
      }
    } finally {
      closeSync(file)
    }
  }
})
