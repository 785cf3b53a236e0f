/** How quickly the app is there: its first script, and what Lighthouse says of it on a desktop. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { desktopConfig } from 'lighthouse'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchProfile } from './browser.ts'
import { distFolder } from './built-pages.ts'
import { firstScripts } from './first-script.ts'
import { freePort } from './free-port.ts'
import { type PairedPage, pairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'
import { isSmall } from './size.ts'
import { furnishHome, liveTheWeek, weekScript } from './week.ts'

const mostGzipBytes = 180_000
const least = { performance: 95, accessibility: 98 } as const

test('the first script is at most 180 kB', () => {
  const files = firstScripts(distFolder)
  const total = files.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)
  for (const { name, gzipBytes } of files) console.log(`${name}  ${kilobytes(gzipBytes)}`)
  console.log(`first script: ${kilobytes(total)} gzip of ${kilobytes(mostGzipBytes)}`)
  expect(files.length).toBeGreaterThan(0)
  expect(total).toBeLessThanOrEqual(mostGzipBytes)
})

describe.skipIf(isSmall)('Lighthouse on a desktop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-profile-'))
  let scene: Scene
  let profile: BrowserContext
  let entered: PairedPage
  let port: number

  beforeAll(async () => {
    scene = await openScene({ script: weekScript(() => scene.house.home) })
    furnishHome(scene.house)
    await liveTheWeek(scene.house, scene.gateway)
    port = await freePort()
    profile = await launchProfile(folder, port)
    entered = await pairedPage(profile, scene.house, scene.gateway, '/')
  })
  afterAll(async () => {
    await profile.close()
    await scene.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(['/', '/chat', '/approvals'])('%s is quick and open to everybody', async (path) => {
    const result = await lighthouse(
      entered.at(path),
      {
        port,
        disableStorageReset: true,
        onlyCategories: ['performance', 'accessibility'],
        logLevel: 'error',
      },
      desktopConfig,
    )
    const score = (name: keyof typeof least) => Math.round((result?.lhr.categories[name]?.score ?? 0) * 100)
    const audits = result?.lhr.audits ?? {}
    const figures = [
      'first-contentful-paint',
      'largest-contentful-paint',
      'total-blocking-time',
      'cumulative-layout-shift',
    ]
      .map((name) => `${name} ${audits[name]?.displayValue ?? '–'}`)
      .join(', ')
    const failing = Object.values(audits)
      .filter(({ score: one, scoreDisplayMode }) => scoreDisplayMode === 'binary' && one === 0)
      .map(({ id }) => id)
    console.log(
      `${path}: performance ${String(score('performance'))}, accessibility ${String(score('accessibility'))}; ${figures}; not met: ${failing.join(', ') || 'none'}`,
    )
    expect(score('performance')).toBeGreaterThanOrEqual(least.performance)
    expect(score('accessibility')).toBeGreaterThanOrEqual(least.accessibility)
  })
})

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`
}
