import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OutboundMessage } from '../frame/protocol.ts'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, until as untilWithin } from '../testing/test-gateway.ts'
import { ntfyAdapter } from './adapter.ts'
import { NtfySettings } from './manifest.ts'
import { type NtfyPlatform, startNtfy } from './testing/platform.ts'

describeChannel({
  adapter: ntfyAdapter,
  open: startNtfy,
  without: {
    connection: 'The server is asked only when there is something to send, or when it was away.',
  },
})

let platform: NtfyPlatform
beforeAll(async () => {
  platform = await startNtfy()
})
afterAll(() => platform.close())

async function open(settings = {}) {
  const gateway = createTestGateway({
    adapter: ntfyAdapter,
    settings: { ...platform.settings, ...settings },
    secrets: platform.secrets,
    patienceMs,
  })
  gateway.start()
  await gateway.connected()
  return gateway
}

const patienceMs = 20_000
const until = (what: string, isSo: () => boolean) => untilWithin(what, isSo, patienceMs)

let next = 0
function message(text: string, chat = platform.chats.ana.id): OutboundMessage {
  next += 1
  return { key: `notice/${next}`, chat, thread: null, text, format: 'plain', buttons: [], file: null }
}

const onPhone = (text: string) => platform.notices().filter((notice) => notice.message === text)

describe('a notice through ntfy', () => {
  it('arrives on a phone with its title, its tags and what a tap opens', async () => {
    const gateway = await open({
      title: 'At home',
      priority: 4,
      tags: ['warning'],
      click: 'https://countersign.test/approvals',
      actions: [{ label: 'Open', url: 'https://countersign.test/' }],
    })
    const text = 'The door is open.\nX-Title: no header'
    const sent = await gateway.send(message(text))
    await until('the notice', () => onPhone(text).length > 0)
    const [notice] = onPhone(text)
    expect(sent).toEqual({ kind: 'sent', message: notice?.id })
    expect(notice).toMatchObject({
      title: 'At home',
      priority: 4,
      tags: ['warning'],
      click: 'https://countersign.test/approvals',
      actions: [{ action: 'view', label: 'Open', url: 'https://countersign.test/' }],
    })
    expect(notice).not.toHaveProperty('content_type')
    await gateway.stop()
  })

  it('arrives whole at its greatest length, even where each byte needs an escape', async () => {
    const gateway = await open({
      title: '"'.repeat(100),
      click: `https://countersign.test/${'a'.repeat(450)}`,
    })
    for (const character of ['"', '\n', 'é', '😀']) {
      const text = `x${character.repeat(Math.floor(2_998 / Buffer.byteLength(character)))}x`
      expect(await gateway.send(message(text))).toMatchObject({ kind: 'sent' })
      await until('the notice', () => onPhone(text).length > 0)
    }
    await gateway.stop()
  })

  it('waits for a server that is away', async () => {
    const gateway = await open()
    await platform.away()
    expect(await gateway.send(message('while it is away'))).toMatchObject({ kind: 'later' })
    await until('it to be said', () => gateway.standings.at(-1)?.type === 'disconnected')
    await platform.back()
    await until('it to be back', () => gateway.standings.at(-1)?.type === 'connected')
    expect(await gateway.send(message('it is back'))).toMatchObject({ kind: 'sent' })
    await until('the notice', () => onPhone('it is back').length > 0)
    await gateway.stop()
  })

  it('waits for a server that is away at the beginning', async () => {
    await platform.away()
    const gateway = createTestGateway({ adapter: ntfyAdapter, ...platform, patienceMs })
    gateway.start()
    await until('it to be said', () => gateway.standings.at(-1)?.type === 'disconnected')
    await platform.back()
    await gateway.connected()
    await gateway.stop()
  })

  it('is refused when the token is revoked', async () => {
    const gateway = await open()
    await platform.revoke()
    expect(await gateway.send(message('revoked'))).toMatchObject({ kind: 'refused' })
    await gateway.stop()
  })
})

describe('the settings of ntfy', () => {
  it.each([
    { server: 'ftp://ntfy.test', topic: 'a' },
    { server: 'https://me:secret@ntfy.test', topic: 'a' },
    { server: 'https://ntfy.test', topic: 'a/b' },
    { server: 'https://ntfy.test', topic: '' },
    { server: 'https://ntfy.test', topic: 'a', click: 'javascript:alert(1)' },
    { server: 'https://ntfy.test', topic: 'a', priotity: 5 },
  ])('refuse $server with $topic', (settings) => {
    expect(NtfySettings.safeParse(settings).success).toBe(false)
  })
})

it('refuses a token that could not stand in a header, and does not repeat it', async () => {
  const gateway = createTestGateway({
    adapter: ntfyAdapter,
    settings: platform.settings,
    secrets: { token: 'tk_one\nX-Other: two' },
    patienceMs,
  })
  gateway.start()
  await until('it to be rejected', () => gateway.standings.at(-1)?.type === 'rejected')
  expect(JSON.stringify(gateway.standings)).not.toContain('tk_one')
  await gateway.stop()
})
