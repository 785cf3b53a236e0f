/**
 * Takes the pictures of docs/operators/home-assistant.md: the tour through a real gateway, in a real browser, with a passkey,
 * against the scripted Home Assistant. `--to <folder>` puts them elsewhere.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { homePaths } from '@countersign/contract/node'
import { approve, countersign, settledRun } from '@countersign/harness'
import type { Page } from 'playwright-core'
import { goodNight, heatingRule } from '../../scenarios/home-assistant/good-night.ts'
import { startHomeAssistant } from '../../scenarios/home-assistant/scripted-home-assistant.ts'
import { addAuthenticator, wide } from './browser.ts'
import build from './built-pages.ts'
import { makePasskey } from './page-services.ts'
import { withPalette } from './palette-png.ts'
import { openScene, type Scene, tell } from './scene.ts'
import { hasSettled } from './screens.ts'
import { until } from './until.ts'

const { values } = parseArgs({
  options: {
    to: { type: 'string', default: fileURLToPath(new URL('../../../docs/images/', import.meta.url)) },
  },
})
/** Where Home Assistant answers unless it is told otherwise. */
const usualPort = 8123
/** Where what was scrolled to begins. */
const belowHeading = 120

await build()
mkdirSync(values.to, { recursive: true })
const house = await startHomeAssistant(usualPort)
// Its name is on the pictures.
const folder = join(tmpdir(), 'mira')
rmSync(folder, { recursive: true, force: true })
const { policies } = homePaths({ COUNTERSIGN_HOME: folder }, process.platform)
mkdirSync(policies, { recursive: true })
writeFileSync(join(policies, 'home.cedar'), heatingRule)
const scene = await openScene({
  script: goodNight,
  environment: { COUNTERSIGN_LOCAL_TARGETS: `127.0.0.1:${usualPort}`, COUNTERSIGN_TIME_ZONE: 'UTC' },
  home: folder,
})
try {
  await takeTour(scene)
} finally {
  await scene.close()
  await house.close()
}

async function takeTour({ gateway, installation, enter }: Scene): Promise<void> {
  const { page, at, device } = await enter('/', wide)
  await addAuthenticator(page)
  await makePasskey(page, installation.identity.trust.gateway.id, device)

  const place = ['--host', `127.0.0.1:${usualPort}`, '--http']
  await countersign(installation, ['secret', 'set', 'home_assistant', ...place], `${house.token}\n`)
  const words = ['--preset', 'home-assistant', '--address', house.mcpUrl]
  await asked('extension', 'add', 'home', ...words)
  await page.goto(at(`/approvals/${(await waiting()).code}`))
  await picture(page, 'card')
  await approved()

  await asked('extension', 'look', 'home')
  await approved()
  await page.goto(at('/extensions/home/accept'))
  await page.getByLabel('Tiers as reviewed for').selectOption('home-assistant')
  await atTop(page, 'HassTurnOff')
  await picture(page, 'tools')
  await asked('extension', 'accept', 'home', '--preset', 'home-assistant')
  await approved()

  const night = await tell(gateway, 'Good night')
  const [lock] = await night.waiting()
  await page.goto(at(`/chat/${night.session}`))
  await hasSettled(page)
  // The run beside it is in the other pictures.
  await page.keyboard.press('t')
  await atTop(page, 'Good night')
  await picture(page, 'chat')
  await page.goto(at(`/approvals/${lock?.code ?? ''}`))
  await picture(page, 'lock')
  await page.locator('button:not([aria-disabled])', { hasText: /^Approve with/ }).click()
  await night.ended()
  await page.goto(at(`/chat/${night.session}`))
  await picture(page, 'night')

  /** Gives a command that makes a card. */
  async function asked(...command: string[]): Promise<void> {
    // It ends with the code of what waits, which is no success.
    await countersign(installation, ['--json', ...command]).catch(() => undefined)
  }
  async function waiting() {
    return until(async () => (await gateway.client.approvals({ state: 'pending' }))[0], { what: 'a request' })
  }
  async function approved(): Promise<void> {
    const { id, run } = await waiting()
    await approve(installation, gateway.client, id)
    await settledRun(gateway.client, run)
  }
}

/** Scrolls until the last that says so stands at the top. */
async function atTop(page: Page, text: string): Promise<void> {
  const found = page.locator('main').getByText(text, { exact: true }).last()
  await found.waitFor()
  const place = await found.boundingBox()
  await page.mouse.move(wide.width / 2, wide.height / 2)
  await page.mouse.wheel(0, (place?.y ?? 0) - belowHeading)
}

async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await hasSettled(page)
  // A card that waits is armed a moment after it came.
  await page.waitForTimeout(1_000)
  const file = join(values.to, `home-assistant-${name}.png`)
  const png = withPalette(await page.screenshot())
  writeFileSync(file, png)
  console.log(`${file} ${String(Math.round(png.byteLength / 1_000))} kB`)
}
