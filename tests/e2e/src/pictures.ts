/**
 * Takes the pictures of the documentation: a week of real data through a real gateway, every screen, light and dark,
 * wide and narrow. `node tests/e2e/src/pictures.ts [screen …]` takes only some.
 */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { narrow, wide } from './browser.ts'
import build from './built-pages.ts'
import { hasSettled, places } from './places.ts'
import { openScene } from './scene.ts'
import { furnishHome, liveTheWeek, weekScript } from './week.ts'

const folder = fileURLToPath(new URL('../../../docs/images/', import.meta.url))
const largest = 200_000

await build()
const scene = await openScene({
  script: weekScript(() => scene.house.home),
  environment: { COUNTERSIGN_PASSKEY_TOOLS: 'execute_python', COUNTERSIGN_TIME_ZONE: 'UTC' },
  passing: true,
})
try {
  furnishHome(scene.house)
  mkdirSync(folder, { recursive: true })
  await liveTheWeek(scene.house, scene.gateway, { passes: true })
  const aheadMs = scene.house.now().getTime() - Date.now()
  const { page, at } = await scene.enter('/', { aheadMs })
  const wanted = process.argv.slice(2)
  for (const { name, path } of await shown()) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    await page.setViewportSize(wide)
    await page.goto(at(path))
    await hasSettled(page)
    for (const theme of ['light', 'dark'] as const)
      for (const size of [wide, narrow]) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await page.setViewportSize(size)
        await stillness(page)
        const file = join(folder, `${name}-${theme}-${String(size.width)}.png`)
        await page.screenshot({ path: file })
        const { size: bytes } = statSync(file)
        console.log(`${file} ${String(Math.round(bytes / 1_000))} kB${bytes > largest ? ' — too large' : ''}`)
      }
  }
} finally {
  await scene.close()
}

/** Every screen, with one thing open where there is one to open. */
async function shown(): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const { client } = scene.gateway
  const [approvals, sessions, runs, goals, schedules] = await Promise.all([
    client.approvals({ state: 'pending' }),
    client.sessions(),
    client.runs({}),
    client.goals(),
    client.schedules(),
  ])
  const outward = approvals.find(({ card }) => card.tier === 3)
  const talk = sessions.find(({ title }) => title.includes('workspace')) ?? sessions[0]
  const notes = runs.find(({ asked }) => asked.includes('summer party')) ?? runs[0]
  const open: Readonly<Record<string, string>> = {
    approvals: `/approvals/${outward?.code ?? ''}`,
    chat: `/chat/${talk?.id ?? ''}`,
    activity: `/activity/${notes?.id ?? ''}`,
    goals: `/goals/${goals[0]?.id ?? ''}`,
    automations: `/automations/${schedules[0]?.id ?? ''}`,
    tools: '/tools/execute_shell',
  }
  return places.map(({ name, path }) => ({ name, path: open[name] ?? path }))
}

/** Colours and widths change over a moment, and a narrow screen may load another part. */
async function stillness(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await hasSettled(page)
  await page.waitForTimeout(400)
}
