/**
 * Owns every place of the app in every state that it can be in: how a home and its connection get there, and the walk through all
 * of it. The states come in their order, because what a home holds is never taken away again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { narrow, openWindow, wide } from './browser.ts'
import { type PairedPage, pairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'
import { hasSettled, type ScreenName, screens } from './screens.ts'
import { overWeather, type Sky, type Weather } from './weather.ts'
import { askOne, beginSetup, endSetup, furnishHome, keepOne, liveTheWeek, weekScript } from './week.ts'
import { letExtensionsIn } from './week-extensions.ts'

/** `offline` is opened without a connection; `cut` has lost it since. */
export const states = ['empty', 'one', 'many', 'loading', 'error', '10,000', 'offline', 'cut'] as const
export type State = (typeof states)[number]

export interface Look {
  readonly theme: 'light' | 'dark'
  readonly size: typeof wide | typeof narrow
}

export const looks: readonly Look[] = [
  { theme: 'light', size: wide },
  { theme: 'dark', size: narrow },
  { theme: 'dark', size: wide },
  { theme: 'light', size: narrow },
]

export interface Place {
  readonly screen: ScreenName
  /** Empty for what the screen shows first. */
  readonly view: string
  readonly path: string
}

export interface Sight extends Look {
  readonly page: Page
  readonly place: Place
  readonly state: State
  /** The same page as before, in another theme. */
  readonly isRepeat: boolean
}

export interface Stage {
  readonly scene: Scene
  turnTo(state: State): Promise<void>
  /** Opens each place once for each width, shows it in each look, and lets somebody see it. */
  walk(
    places: readonly Place[],
    looksOf: (place: Place) => readonly Look[],
    see: (sight: Sight) => Promise<void>,
  ): Promise<void>
  close(): Promise<void>
}

/** The views of a screen beside its first, by what comes behind its path. */
const views: Partial<Record<ScreenName, readonly string[]>> = {
  goals: ['?view=board', '/plans'],
  agents: ['/teams'],
  policy: ['/edit', '/simulate', '/versions', '/grants', '/agents'],
  library: ['/tasks', '/calendar', '/contacts', '/bookmarks', '/expenses', '/tables'],
  memory: ['?view=time'],
  models: ['/uses', '/prices'],
  settings: ['/you', '/language', '/accounts', '/secrets', '/data', '/about'],
  setup: ['/you', '/model', '/safety', '/action', '/reach', '/keep', '/recipes', '/done'],
}

/** Every screen and every view of it that has an address without anything in the home. */
export const places: readonly Place[] = screens.flatMap(({ name, path }) => [
  { screen: name, view: '', path },
  ...(views[name] ?? []).map((end) => ({
    screen: name,
    view: end.replace(/^(\/|\?view=)/, ''),
    path: `${path}${end}`,
  })),
])

/** One of each thing that the home holds, opened. */
export async function openedPlaces({ gateway }: Scene, requests: number): Promise<readonly Place[]> {
  const { client } = gateway
  const [sessions, runs, approvals, goals, schedules, { items: memories }, { plans }] = await Promise.all([
    client.sessions(),
    client.runs({}),
    client.approvals({ state: 'pending' }),
    client.goals(),
    client.schedules(),
    client.memories({}),
    client.plans(),
  ])
  const run = runs.find(({ asked }) => asked.includes('summer party')) ?? runs[0]
  const opened = (screen: ScreenName, view: string, path: string) => ({
    screen,
    view,
    path: `/${screen}/${path}`,
  })
  return [
    opened('chat', 'open', sessions[0]?.id ?? ''),
    opened('activity', 'open', run?.id ?? ''),
    ...['timeline', 'graph', 'compare', 'raw'].map((view) =>
      opened('activity', view, `${run?.id ?? ''}?view=${view}`),
    ),
    ...approvals
      .slice(0, requests)
      .map(({ code }, place) => opened('approvals', `open-${String(place)}`, code)),
    opened('goals', 'open', goals[0]?.id ?? ''),
    opened('goals', 'plan', `plans/${plans[0]?.id ?? ''}`),
    opened('automations', 'open', schedules[0]?.id ?? ''),
    opened('agents', 'open', 'researcher'),
    opened('ledger', 'open', '12'),
    opened('files', 'folder', 'books/2026-08'),
    opened('files', 'open', '?file=minutes.md'),
    opened('memory', 'open', memories[0]?.id ?? ''),
    opened('tools', 'open', 'execute_shell'),
    opened('extensions', 'open', 'files'),
    opened('extensions', 'accept', 'files/accept'),
    opened('extensions', 'skill', 'club-letters'),
  ]
}

const weathers: Readonly<Record<State, Weather>> = {
  empty: 'plain',
  one: 'plain',
  many: 'plain',
  loading: 'loading',
  error: 'error',
  '10,000': 'crowd',
  offline: 'offline',
  cut: 'plain',
}

export async function openStage(): Promise<Stage> {
  const scene = await openScene({
    script: weekScript(() => scene.installation.home),
    environment: { COUNTERSIGN_PASSKEY_TOOLS: 'execute_python', COUNTERSIGN_TIME_ZONE: 'UTC' },
    passing: true,
  })
  furnishHome(scene.installation)
  let { sky, entered } = await enter(scene)
  let state: State = 'empty'
  let lived = false

  return {
    scene,
    async turnTo(next) {
      await sky.change('plain')
      state = next
      if (next === 'one') {
        await keepOne(scene.gateway)
        await askOne(scene.gateway, 0)
      } else if (next !== 'empty' && !lived) {
        lived = true
        await beginSetup(scene.gateway)
        await endSetup(scene.gateway)
        await liveTheWeek(scene.installation, scene.gateway, { passes: true })
        await letExtensionsIn(scene.installation, scene.gateway)
        // Its clock goes with that of the week.
        await entered.page.context().close()
        ;({ sky, entered } = await enter(scene))
      }
      await sky.change(weathers[next])
    },
    async walk(given, looksOf, see) {
      const { page, at } = entered
      for (const place of given)
        for (const now of byWidth(looksOf(place))) {
          await dress(page, now[0])
          await page.goto(at(place.path))
          await hasSettled(page, { loading: state === 'loading' })
          if (state === 'cut') await sky.change('offline')
          // What is late by design has come by then.
          if (state === 'loading' || state === 'cut') await sleep(1_000)
          for (const look of now) {
            await dress(page, look)
            await isPainted(page)
            await see({ ...look, page, place, state, isRepeat: look !== now[0] })
          }
          if (state === 'cut') await sky.change('plain')
        }
    },
    close: () => scene.close(),
  }
}

async function enter(scene: Scene): Promise<{ sky: Sky; entered: PairedPage }> {
  const aheadMs = Math.max(0, scene.installation.now().getTime() - Date.now())
  const context = await openWindow(scene.browser, { aheadMs })
  const sky = await overWeather(context, scene.installation)
  return { sky, entered: await pairedPage(context, scene.installation, scene.gateway, '/') }
}

async function dress(page: Page, { theme, size }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.setViewportSize(size)
}

function byWidth(given: readonly Look[]): readonly (readonly [Look, ...Look[]])[] {
  return [wide, narrow].flatMap((size) => {
    const [first, ...rest] = given.filter((look) => look.size === size)
    return first === undefined ? [] : [[first, ...rest] as const]
  })
}

/** Colours change over a moment. */
async function isPainted(page: Page): Promise<void> {
  await page.evaluate('new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))')
  await sleep(200)
}
