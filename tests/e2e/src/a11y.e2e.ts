/** Every destination in every state, light and dark, wide and narrow: nothing serious or critical by axe. */

import { setTimeout as sleep } from 'node:timers/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { narrow, openWindow, wide } from './browser.ts'
import { type PairedPage, pairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'
import { hasSettled, screens } from './screens.ts'
import { isSmall, sized } from './size.ts'
import { overWeather, type Sky, type Weather } from './weather.ts'
import { askOne, furnishHome, keepOne, liveTheWeek, weekScript } from './week.ts'

type State = 'empty' | 'one' | 'many' | 'loading' | 'error' | 'offline' | '10,000'

interface Appearance {
  readonly theme: 'light' | 'dark'
  readonly size: typeof wide | typeof narrow
}

interface Finding {
  readonly where: string
  readonly rule: string
  readonly targets: readonly string[]
}

const looks: readonly [Appearance, ...Appearance[]] = [
  { theme: 'light', size: wide },
  { theme: 'dark', size: narrow },
  { theme: 'dark', size: wide },
  { theme: 'light', size: narrow },
]
/** A small run looks at each place once, now so and then so. */
let turn = 0

function looksNow(): readonly [Appearance, ...Appearance[]] {
  turn += 1
  return isSmall ? [turn % 2 === 0 ? looks[0] : (looks[1] ?? looks[0])] : looks
}

/** What takes longer for its looks is told. */
const slowSeconds = 30

let scene: Scene
let entered: PairedPage
let page: Page
let sky: Sky
const counts = new Map<string, Map<State, { looked: number; found: number }>>()
const findings: Finding[] = []

beforeAll(async () => {
  scene = await openScene({
    script: weekScript(() => scene.installation.home),
    environment: { COUNTERSIGN_PASSKEY_TOOLS: 'execute_python' },
  })
  furnishHome(scene.installation)
  const context = await openWindow(scene.browser)
  sky = await overWeather(context, scene.installation)
  entered = await pairedPage(context, scene.installation, scene.gateway, '/')
  page = entered.page
})
afterAll(async () => {
  console.log(table())
  await scene.close()
})

test.skipIf(isSmall)('with nothing in it', { timeout: 1_800_000 }, () => everywhere('empty', 'plain'))

test.skipIf(isSmall)('with one of each', { timeout: 1_800_000 }, async () => {
  await keepOne(scene.gateway)
  await askOne(scene.gateway, 0)
  await everywhere('one', 'plain')
})

test('with a week in it', { timeout: 1_800_000 }, async () => {
  await liveTheWeek(scene.installation, scene.gateway)
  await everywhere('many', 'plain')
  await details()
})

test.skipIf(isSmall)('while it loads', { timeout: 1_800_000 }, () => everywhere('loading', 'loading'))

test.skipIf(isSmall)('when the gateway fails', { timeout: 1_800_000 }, () => everywhere('error', 'error'))

test.skipIf(isSmall)('with ten thousand of everything', { timeout: 1_800_000 }, () =>
  everywhere('10,000', 'crowd'),
)

test.skipIf(isSmall)('without a connection', { timeout: 1_800_000 }, () => everywhere('offline', 'offline'))

async function everywhere(state: State, weather: Weather): Promise<void> {
  await sky.change(weather)
  const before = findings.length
  for (const { name, path } of screens) {
    const began = Date.now()
    await lookAt(name, path, state)
    const seconds = (Date.now() - began) / 1_000
    if (seconds > slowSeconds) console.log(`${name} ${state}: ${seconds.toFixed(0)} s`)
  }
  await sky.change('plain')
  expect(findings.slice(before)).toEqual([])
}

/** One of each thing, opened. */
async function details(): Promise<void> {
  const before = findings.length
  const { client } = scene.gateway
  const [sessions, runs, approvals, goals, schedules, { items: memories }] = await Promise.all([
    client.sessions(),
    client.runs({}),
    client.approvals({ state: 'pending' }),
    client.goals(),
    client.schedules(),
    client.memories({}),
  ])
  const paths = [
    ['chat', `/chat/${sessions[0]?.id ?? ''}`],
    ['activity', `/activity/${runs.at(-1)?.id ?? ''}`],
    ['activity', `/activity/${runs[0]?.id ?? ''}?view=timeline`],
    ...approvals.slice(0, sized(10, 2)).map(({ code }) => ['approvals', `/approvals/${code}`] as const),
    ['goals', `/goals/${goals[0]?.id ?? ''}`],
    ['automations', `/automations/${schedules[0]?.id ?? ''}`],
    ['memory', `/memory/${memories[0]?.id ?? ''}`],
    ['tools', '/tools/execute_shell'],
  ] as const
  for (const [name, path] of paths) await lookAt(name, path, 'many')
  expect(findings.slice(before)).toEqual([])
}

async function lookAt(name: string, path: string, state: State): Promise<void> {
  const now = looksNow()
  await page.emulateMedia({ colorScheme: now[0].theme })
  await page.setViewportSize(now[0].size)
  await page.goto(entered.at(path))
  await hasSettled(page, { loading: state === 'loading' })
  // What is late by design has come by then.
  if (state === 'loading') await sleep(500)
  for (const { theme, size } of now) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize(size)
    await painted(page)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
    const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    const where = `${path} ${state} ${theme} ${String(size.width)}`
    for (const { id, nodes } of bad)
      findings.push({ where, rule: id, targets: nodes.slice(0, 4).map(({ html }) => html.slice(0, 200)) })
    count(name, state, bad.length)
  }
}

/** Colours change over a moment. */
async function painted(on: Page): Promise<void> {
  await on.evaluate('new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))')
  await sleep(200)
}

function count(name: string, state: State, found: number): void {
  const row = counts.get(name) ?? new Map<State, { looked: number; found: number }>()
  const cell = row.get(state) ?? { looked: 0, found: 0 }
  counts.set(name, row.set(state, { looked: cell.looked + 1, found: cell.found + found }))
}

/** Serious and critical findings of so many looks. */
function table(): string {
  const states: readonly State[] = ['empty', 'loading', 'one', 'many', '10,000', 'error', 'offline']
  const rows = [...counts].map(([name, row]) =>
    [name, ...states.map((state) => words(row.get(state)))].map((cell) => cell.padEnd(12)).join(''),
  )
  return [['', ...states].map((cell) => cell.padEnd(12)).join(''), ...rows].join('\n')
}

function words(cell: { looked: number; found: number } | undefined): string {
  return cell === undefined ? '–' : `${String(cell.found)} of ${String(cell.looked)}`
}
