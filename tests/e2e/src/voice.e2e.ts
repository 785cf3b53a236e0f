/** Talking in place of typing, and replies that are read aloud, with a microphone that beeps and a model that hears. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { type MediaServer, startMediaServer } from '@countersign/model-servers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { microphone, narrow } from './browser.ts'
import type { PairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

let scene: Scene
let media: MediaServer
let entered: PairedPage
let page: Page

function secondOfTone(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'voice-'))
  const path = join(folder, 'tone.mp3')
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=frequency=440:duration=1', path])
  const bytes = readFileSync(path)
  rmSync(folder, { recursive: true, force: true })
  return bytes
}

beforeAll(async () => {
  const tone = secondOfTone()
  media = await startMediaServer({
    script: ({ path }) =>
      path.endsWith('/speech')
        ? { audio: tone }
        : { transcript: { text: 'Buy milk for Anna.', language: 'english', seconds: 1 } },
  })
  scene = await openScene({
    flags: microphone,
    environment: { COUNTERSIGN_TOOLS: 'audio' },
    script: ({ lastUser }) => ({ text: `# Heard\n\nYou said **${lastUser}**` }),
  })
  await scene.gateway.client.addProvider({
    name: 'media',
    kind: 'openai-compatible',
    url: `${media.url}/v1`,
  })
  entered = await scene.enter('/chat/new')
  page = entered.page
})
afterAll(async () => {
  await scene?.close()
  await media?.close()
})

const composer = (on = page) => on.getByRole('textbox', { name: 'Message' })
const talk = (on = page) => on.getByRole('button', { name: 'Hold to talk' })
const stopTalking = (on = page) => on.getByRole('button', { name: 'Stop and write down' })
const listening = (on = page) => on.locator('p').getByText(/^Listening, 0:0[1-9]/)
const heard = () => media.requests.filter(({ form }) => form !== null)
const kept = () => {
  const folder = join(scene.installation.paths.workspace, 'attachments')
  return existsSync(folder) ? readdirSync(folder) : []
}

test('without a model for it nothing is recorded, and the page says what to choose', async () => {
  await talk().click()
  await page.getByText('No model is chosen that writes down speech.').first().waitFor()
  await page.getByRole('button', { name: 'Open Models' }).first().waitFor()
  await talk().waitFor()
  expect([heard(), kept(), await composer().inputValue()]).toEqual([[], [], ''])
})

test('the button is held, and what was said is in the message and is not sent', async () => {
  await scene.gateway.client.setRoute('transcription', { models: ['media/whisper-1'] })
  await composer().fill('Please note:')
  const box = await talk().boundingBox()
  if (!box) throw new Error('no button')
  await page.mouse.move(box.x + 10, box.y + 10)
  await page.mouse.down()
  await listening().waitFor()
  await page.mouse.up()
  await until(async () => (await composer().inputValue()) === 'Please note: Buy milk for Anna.')
  expect(await page.locator(':focus').getAttribute('id')).toBe('composer')
  const sent = heard().at(-1)?.form?.get('file')
  expect((sent as File).type).toBe('audio/webm')
  expect((sent as File).size).toBeGreaterThan(500)
  expect(page.url()).toContain('/chat/new')
  expect(scene.installation.model.requests).toEqual([])
  expect(kept()).toEqual([])
  const { lines } = await scene.gateway.client.costs({ by: 'run' })
  expect(lines.some(({ usd }) => usd > 0)).toBe(true)
})

test('by keyboard it is held or pressed twice, and discarded with Escape', async () => {
  await composer().fill('')
  await talk().focus()
  await page.keyboard.down(' ')
  await listening().waitFor()
  await page.keyboard.up(' ')
  await until(async () => (await composer().inputValue()) === 'Buy milk for Anna.')
  await composer().fill('')
  await talk().focus()
  await page.keyboard.press('Enter')
  await listening().waitFor()
  expect(await stopTalking().getAttribute('aria-pressed')).toBe('true')
  await page.keyboard.press('Enter')
  await until(async () => (await composer().inputValue()) === 'Buy milk for Anna.')
  const before = heard().length
  await composer().fill('')
  await talk().focus()
  await page.keyboard.press(' ')
  await listening().waitFor()
  await page.keyboard.press('Escape')
  await talk().waitFor()
  expect([heard().length, await composer().inputValue(), kept()]).toEqual([before, '', []])
})

test('a reader hears of no flaw while it listens, in the dark, on a phone and in German', async () => {
  for (const options of [{ theme: 'dark' as const }, { ...narrow, phone: true, locale: 'de-DE' }]) {
    const other = await scene.enter('/chat/new', options)
    const isGerman = 'locale' in options
    await other.page.getByRole('button', { name: isGerman ? 'Zum Sprechen halten' : 'Hold to talk' }).click()
    await other.page
      .locator('p')
      .getByText(isGerman ? /^Hört zu, 0:0[1-9]/ : /^Listening, 0:0[1-9]/)
      .waitFor()
    const { violations } = await new AxeBuilder({ page: other.page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    const wide = await other.page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    expect(wide).toBe(false)
    if (process.env['VOICE_PICTURES'])
      await other.page.screenshot({
        path: join(process.env['VOICE_PICTURES'], `talk-${isGerman ? 'phone' : 'dark'}.png`),
      })
    await other.page.context().close()
  }
})

test('a reply is read aloud by the model that is chosen for speech, and stopped', async () => {
  await composer().fill('hello')
  await page.keyboard.press('Enter')
  const reply = page.getByRole('log').getByText('You said hello')
  await reply.waitFor()
  const read = page.getByRole('button', { name: 'Read aloud' })
  // Without one, a browser without a voice of its own says so.
  await read.click()
  await page
    .getByText(/This browser has no voice of its own/)
    .first()
    .waitFor()
  await scene.gateway.client.setRoute('speech', { models: ['media/tts-1'] })
  await read.click()
  await page.getByRole('button', { name: 'Stop reading' }).waitFor()
  await until(() => media.requests.some(({ path }) => path.endsWith('/speech')))
  expect(media.requests.at(-1)?.body['input']).toBe('Heard\nYou said hello')
  // It is over by itself, and the file with it.
  await read.waitFor()
  await until(() => !existsSync(join(scene.installation.paths.workspace, 'sounds')))
  await page.getByText(/It was not read aloud/).waitFor({ state: 'detached' })
  if (process.env['VOICE_PICTURES']) {
    await reply.hover()
    await page.screenshot({ path: join(process.env['VOICE_PICTURES'], 'reply.png') })
  }
})

test('in a private conversation nothing is recorded, since calls are kept', async () => {
  await page.goto(entered.at('/chat/private'))
  await composer().waitFor()
  await page.getByRole('button', { name: 'Attach', exact: true }).waitFor()
  expect(await talk().count()).toBe(0)
})
