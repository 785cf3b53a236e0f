/** What people speak in a chat, from the platform to the reply. The sound is a tone: the model that hears it is scripted. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  openTelegramPlatform,
  type Person,
  type TestChat,
  type TestPlatform,
} from '@countersign/channels/testing'
import type { PeerRole } from '@countersign/contract'
import { type GatewayProcess, type Installation, openInstallation } from '@countersign/harness'
import { type MediaServer, startMediaServer } from '@countersign/model-servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from './assistant-scenario.ts'

let platform: TestPlatform
let installation: Installation
let gateway: GatewayProcess
let media: MediaServer
let note: { readonly name: string; readonly bytes: Uint8Array; readonly voice: true }

beforeAll(async () => {
  platform = await openTelegramPlatform()
  installation = await openInstallation({ script: ({ lastUser }) => ({ text: `You said: ${lastUser}` }) })
  mkdirSync(installation.paths.workspace, { recursive: true })
  const path = join(installation.home, 'note.ogg')
  const source = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2']
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, '-ar', '48000', '-c:a', 'libopus', path])
  note = { name: 'note.ogg', bytes: readFileSync(path), voice: true }
  media = await startMediaServer({
    script: () => ({ transcript: { text: 'Buy milk for Anna', language: 'english', seconds: 2 } }),
  })
  gateway = await installation.start()
  await gateway.client.addProvider({ name: 'media', kind: 'openai-compatible', url: `${media.url}/v1` })
  const { settings, secrets } = platform
  await gateway.client.storeChannel('tg', { kind: 'telegram', settings, secrets, choices: {} })
  await waitFor(async () => {
    expect((await gateway.client.channels())[0]).toMatchObject({ state: 'connected' })
  })
  const { people, chats } = platform
  await letIn(people.ana, chats.ana, 'operator')
  await letIn(people.ben, chats.ben, 'guest')
}, 120_000)
afterAll(async () => {
  await installation?.close()
  await platform?.close()
  await media?.close()
})

const shownIn = (chat: TestChat) => platform.shown(chat).map(({ text }) => text)

async function letIn(who: Person, chat: TestChat, role: PeerRole): Promise<void> {
  await platform.says(who, chat, 'Hello?')
  const code = await waitFor(() => {
    const [found] = /[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}/.exec(shownIn(chat).at(-1) ?? '') ?? []
    if (found === undefined) throw new Error('no code')
    return found
  })
  await gateway.client.admitPeer({ code, role, limits: {} })
}

/** How often something was said there by now: the same words come more than once. */
const countIn = (chat: TestChat, words: RegExp) => shownIn(chat).filter((text) => words.test(text)).length

test('without a model that hears, a voice note is a file like any other', async () => {
  const { ana } = platform.people
  await platform.says(ana, platform.chats.ana, '', { file: note })
  await waitFor(() => expect(countIn(platform.chats.ana, /^You said:.*attachments\/file-/s)).toBe(1))
  const calls = await gateway.client.runs()
  expect(calls.filter(({ asked }) => asked?.includes('speech') || asked?.includes('Write down'))).toEqual([])
  expect(media.requests).toEqual([])
})

test('with one, it is answered as what was said, which stands in the chat first', async () => {
  await gateway.client.setRoute('transcription', { models: ['media/whisper-1'] })
  const { ana } = platform.people
  const before = shownIn(platform.chats.ana).length
  await platform.says(ana, platform.chats.ana, '', { file: note })
  await waitFor(() => expect(countIn(platform.chats.ana, /^You said: Buy milk for Anna/)).toBe(1))
  const [heard, reply] = shownIn(platform.chats.ana).slice(before)
  expect(heard).toBe('I heard: “Buy milk for Anna”')
  expect(reply).toMatch(/^You said: Buy milk for Anna/)
  expect(media.requests).toHaveLength(1)
  const sent = media.requests[0]?.form?.get('file') as File
  expect(Buffer.from(await sent.arrayBuffer())).toEqual(Buffer.from(note.bytes))
})

test('of a guest nothing is heard, and nothing is spent', async () => {
  await platform.says(platform.people.ben, platform.chats.ben, 'Listen:', { file: note })
  await waitFor(() => expect(countIn(platform.chats.ben, /^You said: Listen:/)).toBe(1))
  expect(countIn(platform.chats.ben, /milk/)).toBe(0)
  expect(media.requests).toHaveLength(1)
})

test('where the tool is switched off, it is a file again', async () => {
  await gateway.client.switchTool('speech_to_text', false)
  await platform.says(platform.people.ana, platform.chats.ana, 'And this?', { file: note })
  await waitFor(() => expect(countIn(platform.chats.ana, /^You said: And this\?/)).toBe(1))
  expect(media.requests).toHaveLength(1)
  expect(await gateway.client.approvals({ state: 'pending' })).toEqual([])
})
