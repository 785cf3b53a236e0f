import { execFileSync } from 'node:child_process'
import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ApprovalView,
  type EventBody,
  idFrom,
  type Language,
  notificationText,
  type PushMessage,
  PushMessage as PushMessageShape,
  type RunId,
  SignedNotification,
  type Tier,
  usualPushPreferences,
} from '@countersign/contract'
import { generateKey, publicKeyOf, signText, verifyText } from '@countersign/contract/node'
import type { Kernel } from '@countersign/kernel'
import { openIdleKernel } from '@countersign/kernel/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestDatabase, type TestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openPush, type Push } from './push.ts'

const actor = { kind: 'operator' as const, id: 'desk' }
const device = idFrom('dev', randomUUIDv7())
const other = idFrom('dev', randomUUIDv7())
const browser = createECDH('prime256v1')
const secret = randomBytes(16)
const gatewayKey = generateKey()
let folder: string
let database: TestDatabase
let kernel: Kernel
let service: Server
let push: Push
let received: PushMessage[]
let headers: Record<string, unknown>[]
let status: number
const gathered: (() => void)[] = []

beforeAll(async () => {
  browser.generateKeys()
  folder = mkdtempSync(join(tmpdir(), 'countersign-push-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const wanted =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1'
  execFileSync('openssl', [...wanted.split(' '), '-keyout', key, '-out', cert])
  service = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      headers.push(request.headers)
      if (status === 201) received.push(decrypted(Buffer.concat(parts)))
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready))
  database = await startTestDatabase()
  kernel = await openIdleKernel({ connection: database.connection, clock: () => new Date() })
  await enrol(null)
  push = await openPush({
    kernel,
    operator: kernel.operator,
    keyFile: join(folder, 'push.json'),
    waiting: () => Promise.resolve(9),
    sign: (text) => signText(gatewayKey.privateKey, text),
    clock: () => new Date(),
    later(act) {
      gathered.push(act)
      return () => undefined
    },
    onProblem: (problem) => console.error(problem),
    agent: new Agent({ ca: readFileSync(cert) }),
    isServiceHost: (hostname) => hostname === '127.0.0.1',
  })
})
afterAll(async () => {
  push.close()
  await kernel.close()
  await database.stop()
  service.close()
  rmSync(folder, { recursive: true, force: true })
})
const enrol = (revokedAt: string | null) =>
  kernel.devices.enrol(
    kernel.operator,
    [device, other].map((id) => ({
      id,
      name: id,
      key: 'key',
      addedAt: '2026-11-15T10:00:00.000Z',
      revokedAt: id === other ? revokedAt : null,
    })),
    new Date(),
  )

beforeEach(() => {
  received = []
  headers = []
  status = 201
})

/** What only the browser can do: RFC 8291 the other way round. */
function decrypted(body: Buffer): PushMessage {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + (body[20] ?? 0))
  const sealed = body.subarray(21 + sender.length)
  const shared = browser.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender])
  const ikm = Buffer.from(hkdfSync('sha256', shared, secret, info, 32))
  const key = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const signed = SignedNotification.parse(
    JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString('utf8')),
  )
  const isProven = [device, other].some((id) =>
    verifyText(
      publicKeyOf(gatewayKey.publicKey),
      notificationText(kernel.gateway, id, signed.message),
      signed.signature,
    ),
  )
  if (!isProven) throw new Error('The gateway did not sign this.')
  return PushMessageShape.parse(JSON.parse(signed.message))
}

const subscription = (language: Language = 'en') => ({
  endpoint: `https://127.0.0.1:${(service.address() as AddressInfo).port}/push/1`,
  keys: { p256dh: browser.getPublicKey('base64url'), auth: secret.toString('base64url') },
  language,
})
const notice = (text: string) =>
  kernel.act(kernel.operator, { type: 'test.notice', actor, data: {} }, { type: 'notice', about: text, text })

const session = idFrom('ses', randomUUIDv7())
const say = (body: EventBody) => kernel.act(kernel.operator, { type: 'test.said', actor, data: {} }, body)
const request = (run: RunId, tier: Tier) => {
  const approval: ApprovalView = {
    id: idFrom('apr', randomUUIDv7()),
    code: 'K7Q2',
    state: 'pending',
    digest: '',
    card: {
      tool: 'create_note',
      args: '{}',
      headline: 'Write a note',
      tier,
      chain: [],
      preview: { kind: 'text', title: '', text: '' },
      effects: [],
      why: { reason: '', rules: [], raised: [] },
    },
    asks: { en: { why: 'It asks.', stops: '' }, de: { why: 'Es fragt.', stops: '' } },
    agentSays: '',
    asked: [],
    replaces: null,
    options: [],
    session,
    run,
    call: idFrom('call', randomUUIDv7()),
    createdAt: '2026-11-15T10:00:00.000Z',
    expiresAt: '2026-11-15T11:00:00.000Z',
    decidedAt: null,
    decidedBy: null,
    reason: null,
    receipt: null,
  }
  return { type: 'approval.requested' as const, session, run, approval }
}

describe('a subscribed browser', () => {
  it('is told what waits, in words that only it can read', async () => {
    await push.subscribe(device, subscription(), actor)
    expect(await push.test(device, 0)).toEqual({ ok: true, problem: null })
    await notice('Backup failed\u202e')
    await expect.poll(() => received.length).toBe(2)
    expect(received[1]).toMatchObject({ title: 'Countersign', body: 'Backup failed⟨U+202E⟩' })
    expect(headers[0]?.['authorization']).toMatch(/^vapid t=/)
    expect(headers[0]?.['urgency']).toBe('high')
  })

  it('is told in the language that it subscribed with', async () => {
    await push.subscribe(device, subscription('de'), actor)
    await push.test(device, 0)
    expect(received).toMatchObject([
      { title: 'Countersign', body: 'Benachrichtigungen erreichen dieses Gerät.' },
    ])
    await push.subscribe(device, subscription(), actor)
  })

  it('is told once of the requests of one run that come together', async () => {
    const [burst, alone] = [idFrom('run', randomUUIDv7()), idFrom('run', randomUUIDv7())]
    const last = request(burst, 2)
    for (const each of [request(burst, 2), request(burst, 3), request(burst, 2), last, request(alone, 2)])
      await say(each)
    await say({
      type: 'approval.decided',
      session,
      run: burst,
      approval: last.approval.id,
      code: 'K7Q2',
      state: 'withdrawn',
      by: 'desk',
      reason: null,
    })
    await notice('After them')
    await expect.poll(() => received.length).toBe(1)
    for (const tell of gathered.splice(0)) tell()
    await expect.poll(() => received.length).toBe(3)
    expect(received.slice(1).toSorted((a, b) => a.title.localeCompare(b.title))).toMatchObject([
      {
        title: '3 requests are waiting',
        body: expect.stringContaining('the weightiest: “Leaves your hands”'),
        tag: burst,
      },
      { title: 'Write a note', url: '/approvals/K7Q2' },
    ])
  })

  it('is told only what it chose, and what it chose stays when it subscribes again', async () => {
    await push.prefer(device, { kinds: ['approval'], quiet: null }, actor)
    await push.subscribe(device, subscription(), actor)
    expect((await push.told(device)).preferences).toEqual({ kinds: ['approval'], quiet: null })
    await notice('Nobody wants this')
    await push.prefer(device, { kinds: ['failure', 'budget'], quiet: null }, actor)
    await say({ type: 'budget.reached', budget: 'day', percent: 80, spentUsd: 8, limitUsd: 10 })
    await expect.poll(() => received.length).toBe(1)
    expect(received).toMatchObject([{ title: 'Spending', body: '80 % of the limit “day” is spent.' }])
    await push.prefer(device, usualPushPreferences, actor)
    await expect(push.prefer(other, usualPushPreferences, actor)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('gets one digest when there is too much to tell', async () => {
    for (let index = 0; index < 9; index += 1) await notice(`Notice ${index}`)
    await expect.poll(() => received.length).toBe(9)
    expect(received.at(-1)).toMatchObject({ title: '9 items are waiting for you', tag: 'digest' })
  })

  it('is forgotten when its service does not know it any more, and when it says so', async () => {
    status = 410
    await notice('gone')
    await expect.poll(() => push.count()).toBe(0)
    await push.subscribe(device, subscription(), actor)
    await push.forget(device, actor)
    expect(await push.test(device, 0)).toMatchObject({ ok: false })
  })
})

describe('a device that was revoked', () => {
  it('is told nothing more and is forgotten, while another goes on being told', async () => {
    for (const each of [device, other]) await push.subscribe(each, subscription(), actor)
    expect(await push.count()).toBe(2)
    await enrol(new Date().toISOString())
    await notice('After the revocation')
    await expect.poll(() => push.count()).toBe(1)
    await expect.poll(() => received.length).toBe(1)
    expect((await push.test(device, 3)).ok).toBe(true)
  })

  it('is forgotten at once when that is asked', async () => {
    await push.subscribe(other, subscription(), actor)
    await push.forgetRevoked()
    expect(await push.count()).toBe(1)
  })
})

describe('an endpoint', () => {
  it('is refused where no push service can be', async () => {
    for (const host of ['localhost', '10.0.0.1', '169.254.169.254', '[::1]', 'printer.local'])
      await expect(
        push.subscribe(device, { ...subscription(), endpoint: `https://${host}/x` }, actor),
      ).rejects.toMatchObject({ code: 'usage' })
  })

  it('that fails says why only to a device that seals', async () => {
    await push.subscribe(device, subscription(), actor)
    status = 403
    const cause = 'Received unexpected response code'
    expect((await push.test(device, 3)).problem).toContain(cause)
    for (const reach of [0, 2] as const) {
      const { ok, problem } = await push.test(device, reach)
      expect(ok).toBe(false)
      expect(problem).not.toContain(cause)
    }
  })
})
