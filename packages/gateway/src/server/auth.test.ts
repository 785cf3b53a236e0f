import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CountersignError, type DeviceReach, idFrom, requestText } from '@countersign/contract'
import { generateKey, sha256Hex, signText } from '@countersign/contract/node'
import type { Kernel } from '@countersign/kernel'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ApiOptions, createApi } from './api.ts'
import { createRequestAuthenticator } from './auth.ts'
import { createProver } from './proof.ts'
import { createRequestPlaces } from './request-place.ts'
import type { App } from './route.ts'
import { needsDevice } from './unsigned.ts'

const device = idFrom('dev', '1'.repeat(32))
const gateway = idFrom('gw', '2'.repeat(32))
const operator = idFrom('op', '3'.repeat(32))
const keys = generateKey()
const name = 'localhost:7777'
const address = 'http://127.0.0.1:7777'
const prover = createProver({
  gateway,
  sign: () => '',
  port: () => 7777,
  publicOrigins: ['https://home.example.com'],
})
let nonces = 0

/** Stands for every collaborator while routes are declared; whatever it is asked for, it gives itself. */
const nobody: unknown = new Proxy(() => undefined, { get: (_target, key) => (key === 'token' ? '' : nobody) })

function authenticatorFor(reach: DeviceReach, served = operator, openSince: Date | undefined = new Date(0)) {
  const known = { operator, name: 'phone', key: keys.publicKey, reach, platform: '' }
  const kernel = { gateway, devices: { lookUp: async () => known } } as unknown as Kernel
  return createRequestAuthenticator({
    kernel,
    operator: served,
    places: createRequestPlaces({
      port: () => 7777,
      publicOrigins: ['https://home.example.com'],
      trustedProxies: [],
    }),
    prover,
    clock: () => new Date(),
    openSince: () => openSince,
  })
}

function signedHeaders(method: string, path: string, body = ''): Record<string, string> {
  const time = new Date().toISOString()
  const nonce = `nonce-${String((nonces += 1)).padStart(16, '0')}`
  const text = requestText({ method, path, bodyHash: sha256Hex(body), time, nonce, gateway, device, address })
  return {
    host: name,
    'countersign-device': device,
    'countersign-time': time,
    'countersign-nonce': nonce,
    'countersign-signature': signText(keys.privateKey, text),
  }
}

async function mayAsk(reach: DeviceReach, method: string, path: string, routed = path): Promise<boolean> {
  const headers = signedHeaders(method, path)
  const request = { method, path, routed, body: '', header: (each: string) => headers[each] }
  return authenticatorFor(reach)
    .speakerOf(request)
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof CountersignError && error.code === 'step_up_needed') return false
        throw error
      },
    )
}

test('refuses what was signed before the port was ours', async () => {
  const headers = signedHeaders('GET', '/v1/status')
  const path = '/v1/status'
  const request = { method: 'GET', path, routed: path, body: '', header: (each: string) => headers[each] }
  const signedAt = Date.parse(headers['countersign-time'] ?? '')
  const since = (ms: number) => authenticatorFor(3, operator, new Date(signedAt + ms)).speakerOf(request)
  await expect(since(1)).rejects.toMatchObject({ code: 'clock_wrong' })
  await expect(since(0)).resolves.toMatchObject({ device })
})

test('tells a device with a wrong clock both times, and not that it is unknown', async () => {
  const path = '/v1/status'
  const headers = { ...signedHeaders('GET', path), 'countersign-time': '2020-01-01T10:00:00.000Z' }
  const header = (each: string) => (headers as Record<string, string>)[each]
  await expect(
    authenticatorFor(3).speakerOf({ method: 'GET', path, routed: path, body: '', header }),
  ).rejects.toMatchObject({
    code: 'clock_wrong',
    message: expect.stringContaining('2020-01-01 10:00:00 here'),
  })
})

test('refuses a device of an operator whom this gateway does not serve', async () => {
  const headers = signedHeaders('GET', '/v1/status')
  const request = { method: 'GET', path: '/v1/status', routed: '/v1/status', body: '' }
  const speaker = authenticatorFor(3, idFrom('op', '4'.repeat(32))).speakerOf({
    ...request,
    header: (each: string) => headers[each],
  })
  await expect(speaker).rejects.toThrow('not paired')
})

async function apiFor(reach: DeviceReach) {
  const parts = 'views status tools secrets address pages lockout onProblem'.split(' ')
  const stubs = Object.fromEntries(parts.map((part) => [part, nobody])) as unknown as ApiOptions
  const redactor = { json: (value: unknown) => value }
  const kernel = { gateway, redactor, records: nobody } as unknown as Kernel
  const routes = await everyRoute()
  return createApi({ ...stubs, kernel, authenticator: authenticatorFor(reach), prover, version: '', routes })
}

async function everyRoute(): Promise<((app: App) => void)[]> {
  const source = join(import.meta.dirname, '..')
  const files = globSync('{server,onboarding}/*.ts', { cwd: source, exclude: ['**/*.test.ts'] })
  const itsOwn = ['addSecretRoutes', 'addToolRoutes', 'addRecordRoutes']
  const found = new Set<(app: App, parts: unknown) => void>()
  for (const file of files) {
    const exported = (await import(pathToFileURL(join(source, file)).href)) as Record<string, unknown>
    for (const [title, add] of Object.entries(exported))
      if (/^add\w+Routes?$/.test(title) && !itsOwn.includes(title))
        found.add(add as (app: App, parts: unknown) => void)
  }
  return [...found].map((add) => (app) => add(app, nobody))
}

const ownActs = [
  'DELETE /v1/push',
  'POST /v1/devices/statements',
  'POST /v1/ledger/witnesses/seen',
  'POST /v1/push',
  'POST /v1/push/test',
  'PUT /v1/push/preferences',
]
const decidingActs = [
  'POST /v1/approvals/:ref/ask',
  'POST /v1/approvals/:ref/decision',
  'POST /v1/approvals/:ref/extend',
  'POST /v1/asked-for/:id/take-back',
  'POST /v1/files/distrust',
  'POST /v1/files/trust',
  'POST /v1/grants/:id/revoke',
  'POST /v1/grants/prune',
  'POST /v1/ledger/witnesses/complaints',
  'POST /v1/messages',
  'POST /v1/pause',
  'POST /v1/questions/:id/answer',
  'POST /v1/questions/:id/reply',
  'POST /v1/runs/:id/retry',
  'POST /v1/runs/:id/stop',
  'POST /v1/sessions/:id/archive',
  'POST /v1/unasked/:id/ask',
  'POST /v1/unasked/:id/dismiss',
  'PUT /v1/sessions/:id/title',
]

describe('of all that the gateway can be asked for', () => {
  let acts: { readonly method: string; readonly path: string }[]

  beforeAll(async () => {
    const { routes } = await apiFor(3)
    acts = routes
      .filter(({ method, path }) => path.startsWith('/v1/') && !['ALL', 'GET', 'HEAD'].includes(method))
      .filter(({ method, path }) => needsDevice(method, path))
  })

  const allowedTo = async (reach: DeviceReach) => {
    const found = new Set<string>()
    for (const { method, path } of acts)
      if (await mayAsk(reach, method, path.replaceAll(/:\w+(\{[^}]*\})?/g, 'some-1')))
        found.add(`${method} ${path}`)
    return [...found].toSorted()
  }

  test('a device that looks does nothing but what concerns itself', async () => {
    expect(await allowedTo(0)).toEqual(ownActs)
  })

  test('a device that decides up to T2 does what is listed and nothing else', async () => {
    expect(await allowedTo(2)).toEqual([...ownActs, ...decidingActs].toSorted())
  })

  test('a device that seals does everything', async () => {
    const all = new Set(acts.map(({ method, path }) => `${method} ${path}`))
    expect(all.size).toBeGreaterThan(80)
    expect(await allowedTo(3)).toEqual([...all].toSorted())
  })

  test('a device that looks may look at everything', async () => {
    expect(await mayAsk(0, 'GET', '/v1/secrets')).toBe(true)
    expect(await mayAsk(0, 'HEAD', '/v1/status')).toBe(true)
  })
})

describe('another spelling of an address', () => {
  const ask = async (reach: DeviceReach, method: string, path: string) =>
    (await apiFor(reach)).request(`http://${name}${path}`, { method, headers: signedHeaders(method, path) })
  const typeOf = async (response: Response) =>
    ((await response.json()) as { error: { type: string } }).error.type

  test.each([
    '/v1/%73ecrets/x',
    '/%761/secrets/x',
    '/v1/secrets%2Fx',
    '/v1/%2573ecrets/x',
    '/v1/s%65crets/%78',
  ])('does not get %s past anybody', async (path) => {
    for (const reach of [0, 2, 3] as const)
      expect(['usage', 'step_up_needed', 'not_found']).toContain(await typeOf(await ask(reach, 'PUT', path)))
    await expect(mayAsk(2, 'PUT', path, decodeURI(path))).rejects.toMatchObject({ code: 'usage' })
  })

  test.each([
    ['POST', '/v1/grants/%70rune', '/v1/grants/prune'],
    ['POST', '/v1/approvals/a%2Fdecision', '/v1/approvals/a%2Fdecision'],
    ['POST', '/v1/runs/r/..%2Fstop', '/v1/runs/r/..%2Fstop'],
    ['POST', '/v1/messages', '/v1/secrets'],
    ['POST', '/v1/messages/', '/v1/messages/'],
    ['PUT', '/v1/secrets/x?/v1/messages', '/v1/secrets/x'],
  ])('does not get %s %s past a device that decides up to T2', async (method, path, routed) => {
    expect(await mayAsk(2, method, path, routed)).toBe(false)
  })

  test('is needed for some names, and a device that seals may use it there', async () => {
    expect(await mayAsk(3, 'DELETE', '/v1/budgets/global%3Amonth')).toBe(true)
  })
})

describe('a request that a browser makes', () => {
  const ours = (site: string | undefined, wanted?: 'api' | 'page', origin?: string) =>
    authenticatorFor(3).placeOf(
      { headers: { host: name, origin, 'sec-fetch-site': site }, peer: '127.0.0.1' },
      wanted,
    ) !== undefined

  test('reaches the API from our own page and from no page of another site or port', () => {
    expect(ours('same-origin')).toBe(true)
    expect(ours('none')).toBe(true)
    expect(ours(undefined)).toBe(true)
    expect(ours('cross-site')).toBe(false)
    expect(ours('same-site')).toBe(false)
  })

  test('may come to a page from anywhere, and not with another origin', () => {
    expect(ours('cross-site', 'page')).toBe(true)
    expect(ours('cross-site', 'page', 'http://elsewhere.example')).toBe(false)
  })

  test('is refused by the whole API when another site made it', async () => {
    const api = await apiFor(3)
    const asked = (site: string) =>
      api.request(`http://${name}/v1/health`, { headers: { host: name, 'sec-fetch-site': site } })
    expect((await asked('same-origin')).status).toBe(200)
    expect((await asked('same-site')).status).toBe(401)
  })
})
