/**
 * Takes the pictures of the documentation: a week of real data through a real gateway, every screen, light and dark,
 * wide and narrow. `node tests/e2e/src/pictures.ts [screen …]` takes only some.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { addAuthenticator, narrow, wide } from './browser.ts'
import build from './built-pages.ts'
import { makePasskey } from './page-services.ts'
import { withPalette } from './palette-png.ts'
import { openScene } from './scene.ts'
import { hasSettled, screens } from './screens.ts'
import { furnishHome, liveTheWeek, weekScript } from './week.ts'

const folder = fileURLToPath(new URL('../../../docs/images/', import.meta.url))
const largest = 200_000
const wanted = process.argv.slice(2)
// Its name is on the pictures.
const home = join(tmpdir(), 'mira')

await build()
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
  mkdirSync(folder, { recursive: true })
  const { client } = scene.gateway
  await client.setUp('check', {})
  await client.setUp('you', { name: 'Mira' })
  await client.setUp('model', { choice: 'current' })
  await liveTheWeek(scene.installation, scene.gateway, { passes: true })
  const aheadMs = scene.installation.now().getTime() - Date.now()
  const { page, at, device } = await scene.enter('/', { aheadMs })
  await addAuthenticator(page)
  await makePasskey(page, scene.installation.identity.trust.gateway.id, device)
  await picture(page, 'setup', at('/setup'))
  await client.setUp('safety', { choice: 'boundaries', unattendedUsd: 2 })
  for (const step of ['action', 'reach', 'keep', 'recipes'] as const) await client.skipSetup(step)
  for (const { name, path } of await shown()) await picture(page, name, at(path))
} finally {
  await scene.close()
}

async function picture(page: Page, name: string, address: string): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return
  for (const theme of ['light', 'dark'] as const)
    for (const size of [wide, narrow]) {
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize(size)
      await page.goto(address)
      await stillness(page)
      const file = join(folder, `${name}-${theme}-${String(size.width)}.png`)
      const png = withPalette(await page.screenshot())
      writeFileSync(file, png)
      const bytes = png.byteLength
      console.log(`${file} ${String(Math.round(bytes / 1_000))} kB${bytes > largest ? ', too large' : ''}`)
    }
}

/** Every screen of the app itself, with one thing open where there is one to open. */
async function shown(): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const { client } = scene.gateway
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
