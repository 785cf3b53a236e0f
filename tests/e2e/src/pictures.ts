/**
 * Takes the pictures of the documentation: a week of real data through a real gateway, every screen, light and dark,
 * wide and narrow. `node tests/e2e/src/pictures.ts [screen …]` takes only some. With `--all --to <folder>` it takes every place
 * in every state instead, and `--state many` only some of those.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { addAuthenticator, narrow, wide } from './browser.ts'
import build from './built-pages.ts'
import { makePasskey } from './page-services.ts'
import { withPalette } from './palette-png.ts'
import { openScene, type Scene } from './scene.ts'
import { hasSettled, screens } from './screens.ts'
import { looks, openedPlaces, openStage, places, type Sight, states } from './states.ts'
import { beginSetup, endSetup, furnishHome, liveTheWeek, weekScript } from './week.ts'
import { letExtensionsIn } from './week-extensions.ts'

const folder = fileURLToPath(new URL('../../../docs/images/', import.meta.url))
const largest = 200_000
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    to: { type: 'string', default: folder },
    state: { type: 'string', multiple: true, default: [] },
  },
})

await build()
await (values.all ? takeAll() : takeShown())

async function takeShown(): Promise<void> {
  // Its name is on the pictures.
  const home = join(tmpdir(), 'mira')
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  const scene = await openScene({
    script: weekScript(() => home),
    environment: { COUNTERSIGN_PASSKEY_TOOLS: 'execute_python', COUNTERSIGN_TIME_ZONE: 'UTC' },
    passing: true,
    home,
  })
  try {
    furnishHome(scene.installation)
    mkdirSync(values.to, { recursive: true })
    await beginSetup(scene.gateway)
    await liveTheWeek(scene.installation, scene.gateway, { passes: true })
    await letExtensionsIn(scene.installation, scene.gateway)
    const aheadMs = scene.installation.now().getTime() - Date.now()
    const { page, at, device } = await scene.enter('/', { aheadMs })
    await addAuthenticator(page)
    await makePasskey(page, scene.installation.identity.trust.gateway.id, device)
    await picture(page, 'setup', at('/setup'))
    await endSetup(scene.gateway)
    for (const { name, path } of await shown(scene)) await picture(page, name, at(path))
  } finally {
    await scene.close()
  }
}

/** Every place in every state. */
async function takeAll(): Promise<void> {
  mkdirSync(values.to, { recursive: true })
  const stage = await openStage()
  const isWanted = ({ screen }: { screen: string }) => wanted.length === 0 || wanted.includes(screen)
  try {
    for (const state of states) {
      if (values.state.length > 0 && !values.state.includes(state)) continue
      await stage.turnTo(state)
      const opened = state === 'many' || state === 'cut' ? await openedPlaces(stage.scene, 10) : []
      await stage.walk([...places, ...opened].filter(isWanted), () => looks, take)
      console.log(state)
    }
  } finally {
    await stage.close()
  }
}

async function take({ page, place, state, theme, size }: Sight): Promise<void> {
  const name = [place.screen, place.view, state.replace(',', ''), theme, String(size.width)]
  await page.screenshot({ path: join(values.to, `${name.filter((part) => part !== '').join('-')}.png`) })
}

async function picture(page: Page, name: string, address: string): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return
  for (const theme of ['light', 'dark'] as const)
    for (const size of [wide, narrow]) {
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize(size)
      await page.goto(address)
      await stillness(page)
      const file = join(values.to, `${name}-${theme}-${String(size.width)}.png`)
      const png = withPalette(await page.screenshot())
      writeFileSync(file, png)
      const bytes = png.byteLength
      console.log(`${file} ${String(Math.round(bytes / 1_000))} kB${bytes > largest ? ', too large' : ''}`)
    }
}

/** Every screen of the app itself, with one thing open where there is one to open. */
async function shown({
  gateway: { client },
}: Scene): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const [approvals, sessions, runs, goals, schedules, { items: memories }] = await Promise.all([
    client.approvals({ state: 'pending' }),
    client.sessions(),
    client.runs({}),
    client.goals(),
    client.schedules(),
    client.memories({}),
  ])
  const outward = approvals.find(({ card }) => card.tier === 3)
  const talk = sessions.find(({ title }) => title.includes('quarterly')) ?? sessions[0]
  const notes = runs.find(({ asked }) => asked.includes('summer party')) ?? runs[0]
  const brief = schedules.find(({ name }) => name === 'Morning brief') ?? schedules[0]
  const books = goals.find(({ title }) => title.startsWith('Bookkeeping')) ?? goals[0]
  const open: Readonly<Record<string, string>> = {
    approvals: `/approvals/${outward?.code ?? ''}`,
    chat: `/chat/${talk?.id ?? ''}`,
    activity: `/activity/${notes?.id ?? ''}`,
    goals: `/goals/${books?.id ?? ''}`,
    automations: `/automations/${brief?.id ?? ''}`,
    memory: `/memory/${memories[0]?.id ?? ''}`,
    tools: '/tools/execute_shell',
    extensions: '/extensions/files',
  }
  return screens
    .filter(({ name }) => name !== 'setup')
    .map(({ name, path }) => ({ name, path: open[name] ?? path }))
}

/** Colours and widths change over a moment, and a narrow screen may load another part. */
async function stillness(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await hasSettled(page)
  await page.waitForTimeout(400)
}
