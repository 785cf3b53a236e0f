import { createHash } from 'node:crypto'
import {
  CountersignError,
  errorCatalogue,
  idFrom,
  type OperatorId,
  type SecretEntry,
} from '@countersign/contract'
import { createRedactor } from '@countersign/contract/node'
import type { EntryDraft } from '@countersign/kernel'
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { errorReply } from './failures.ts'
import type { Env } from './route.ts'
import { addSecretRoutes, createSecretAdmin, type SecretVault } from './secrets.ts'

const value = 'ghp_0123456789abcdef'
const operator: OperatorId = idFrom('op', '0'.repeat(32))
const device = idFrom('dev', '0'.repeat(32))
const stored = { value, destinations: [{ scheme: 'https', host: 'api.github.com', port: 443 }] }

let vault: ReturnType<typeof memoryVault>
let entries: EntryDraft[]
let redactor: ReturnType<typeof createRedactor>

beforeEach(() => {
  vault = memoryVault()
  entries = []
  redactor = createRedactor()
})

function memoryVault(): SecretVault & { readonly kept: Map<string, { entry: SecretEntry; value: string }> } {
  const kept = new Map<string, { entry: SecretEntry; value: string }>()
  const at = '2030-01-01T00:00:00.000Z'
  return {
    kept,
    list: async () => Array.from(kept.values(), ({ entry }) => entry),
    async put(name, { value: given, ...pins }) {
      const entry = { name, ...pins, createdAt: at, rotatedAt: null, lastUsedAt: null }
      const replaced = kept.has(name)
      kept.set(name, { entry, value: given })
      return { secret: entry, replaced }
    },
    async rotate(name, given) {
      const { entry } = kept.get(name) ?? { entry: undefined }
      if (!entry) throw new Error('unknown')
      kept.set(name, { entry, value: given })
      return entry
    },
    async remove(name) {
      kept.delete(name)
    },
    all: async () => Array.from(kept, ([name, { value: given }]) => ({ name, value: given })),
    fingerprint: async (given) => createHash('sha256').update(given).digest('hex').slice(0, 16),
  }
}

function admin(changes: Partial<SecretVault> = {}, act?: () => Promise<number>) {
  return createSecretAdmin({
    vault: { ...vault, ...changes },
    redactor,
    act: act ?? ((_operator, entry) => Promise.resolve(entries.push(entry))),
  })
}

function appOf(secrets = admin()) {
  const app = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw new CountersignError('usage', z.prettifyError(result.error))
    },
  })
  app.onError((error, context) => {
    if (!(error instanceof CountersignError)) throw error
    return context.json(errorReply(error), errorCatalogue[error.code].http)
  })
  app.use('*', async (context, next) => {
    context.set('speaker', { operator, device, actor: { kind: 'operator', id: 'laptop' }, reach: 3 })
    await next()
  })
  addSecretRoutes(app, secrets)
  return app
}

async function ask(method: string, path: string, body?: unknown, app = appOf()) {
  const response = await app.request(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await response.text()
  expect(text).not.toContain(value)
  return { status: response.status, text, json: JSON.parse(text) }
}

describe('the routes of secrets', () => {
  test('take a value in and give everything but it out', async () => {
    const put = await ask('PUT', '/v1/secrets/github', { ...stored, description: 'builds' })
    expect(put).toMatchObject({
      status: 200,
      json: { handle: '{{secret:github}}', replaced: false, ledger: 1, secret: { name: 'github' } },
    })
    const { json } = await ask('GET', '/v1/secrets')
    expect(json).toMatchObject([{ name: 'github', description: 'builds', tools: [], lastUsedAt: null }])
    expect(vault.kept.get('github')?.value).toBe(value)
  })

  test('rotate and remove what there is, and say when there is nothing', async () => {
    await ask('PUT', '/v1/secrets/github', stored)
    expect(await ask('POST', '/v1/secrets/github/rotate', { value: 'ghp_another_value' })).toMatchObject({
      status: 200,
      json: { replaced: true, ledger: 2 },
    })
    expect(await ask('DELETE', '/v1/secrets/github')).toMatchObject({ json: { name: 'github', ledger: 3 } })
    for (const [method, path, body] of [
      ['DELETE', '/v1/secrets/github', undefined],
      ['POST', '/v1/secrets/github/rotate', { value }],
    ] as const)
      expect((await ask(method, path, body)).status).toBe(404)
    expect(entries).toHaveLength(3)
  })

  test.each([
    ['a name of another kind', '/v1/secrets/GitHub', stored],
    ['a value with no destination', '/v1/secrets/github', { value }],
    [
      'a wildcard',
      '/v1/secrets/github',
      { ...stored, destinations: [{ scheme: 'https', host: '*.github.com', port: 443 }] },
    ],
    ['a field that is not known', '/v1/secrets/github', { ...stored, valeu: value }],
    ['a value that is too plain', '/v1/secrets/github', { ...stored, value: 'aaaaaaaaaaaa' }],
  ])('refuse %s without a record, and without repeating the value', async (_what, path, body) => {
    expect(await ask('PUT', path, body)).toMatchObject({ status: 400, json: { error: { type: 'usage' } } })
    expect(entries).toEqual([])
  })

  test('are in the API document, which has no reply with a value', () => {
    const document = appOf().getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'x', version: '1' } })
    expect(Object.keys(document.paths ?? {})).toEqual([
      '/v1/secrets',
      '/v1/secrets/{name}',
      '/v1/secrets/{name}/rotate',
    ])
    const replies = Object.values(document.paths ?? {}).flatMap((path) =>
      Object.values(path ?? {}).map((method) => JSON.stringify((method as { responses: unknown }).responses)),
    )
    for (const reply of replies) expect(reply).not.toContain('"value"')
  })
})

describe('the record of an act', () => {
  test('names what was done with a fingerprint in place of the value, which tells equal values apart', async () => {
    await ask('PUT', '/v1/secrets/github', stored)
    await ask('PUT', '/v1/secrets/mirror', stored)
    await ask('POST', '/v1/secrets/github/rotate', { value: 'ghp_another_value' })
    await ask('DELETE', '/v1/secrets/github')
    expect(entries.map(({ type, actor, data }) => [type, actor.id, data['name']])).toEqual([
      ['secret.stored', 'laptop', 'github'],
      ['secret.stored', 'laptop', 'mirror'],
      ['secret.rotated', 'laptop', 'github'],
      ['secret.removed', 'laptop', 'github'],
    ])
    const [first, second, third] = entries.map(({ data }) => data['fingerprint'])
    expect(first).toBe(second)
    expect(third).not.toBe(first)
    expect(JSON.stringify(entries)).not.toContain(value)
  })

  test('comes before the change: without it nothing is stored', async () => {
    const broken = admin({}, () =>
      Promise.reject(new CountersignError('ledger_unwritable', 'The disk is full.')),
    )
    expect((await ask('PUT', '/v1/secrets/github', stored, appOf(broken))).status).toBe(503)
    expect(await vault.list()).toEqual([])
  })

  test('says so when the change then failed', async () => {
    const stuck = admin({
      put: () => Promise.reject(new CountersignError('config_invalid', 'It cannot be read.')),
    })
    expect((await ask('PUT', '/v1/secrets/github', stored, appOf(stuck))).status).toBe(500)
    expect(entries.map(({ type }) => type)).toEqual(['secret.stored', 'secret.unchanged'])
    expect(entries[1]?.data).toEqual({ name: 'github', attempted: 'secret.stored', entry: 1 })
  })
})

describe('masking', () => {
  test('begins before the value is stored, and outlives its rotation and removal', async () => {
    const stuck = admin({ put: () => Promise.reject(new Error(`no room for ${value}`)) })
    await expect(
      stuck.store({ operator, actor: { kind: 'operator', id: 'laptop' } }, 'github', {
        value,
        description: '',
        destinations: [],
        tools: [],
      }),
    ).rejects.toThrow()
    expect(redactor.text(value)).toBe('‹secret:github›')
    await ask('PUT', '/v1/secrets/github', stored)
    await ask('POST', '/v1/secrets/github/rotate', { value: 'ghp_another_value' })
    await ask('DELETE', '/v1/secrets/github')
    expect(redactor.text(`${value} ghp_another_value`)).toBe('‹secret:github› ‹secret:github›')
  })

  test('covers a value that was pasted into the description', async () => {
    await ask('PUT', '/v1/secrets/github', { ...stored, description: `it is ${value}` })
    expect((await ask('GET', '/v1/secrets')).json[0].description).toBe('it is ‹secret:github›')
  })

  test('takes in what another process stored', async () => {
    const secrets = admin()
    await secrets.refresh()
    await vault.put('github', { value, description: '', tools: [], destinations: [] })
    expect(redactor.text(value)).toBe(value)
    await secrets.refresh()
    expect(redactor.text(value)).toBe('‹secret:github›')
  })
})
