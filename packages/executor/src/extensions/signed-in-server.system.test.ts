import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, ServerOAuth, ToolResult } from '@countersign/contract'
import { launchPlaces, serverNamed, serverToolFacts } from '@countersign/tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, defaultEgressLimits } from '../egress/egress.ts'
import { type Executor, openExecutor } from '../executor.ts'
import { createServerOAuthFinder } from '../oauth/find-server-oauth.ts'
import { createOAuthServer } from '../oauth/oauth-server.ts'
import { createTestHost, sealTestPermit, type TestHost } from '../testing/host.ts'
import type { Vault } from '../vault/vault.ts'
import { openVaultAt } from '../vault/vault-paths.ts'
import { type SignedInServer, startSignedInServer } from './testing/signed-in-server.ts'

let far: SignedInServer
let host: TestHost
let executor: Executor
let vault: Vault
const { signal } = new AbortController()

beforeEach(async () => {
  far = await startSignedInServer()
  const made = createTestHost({
    allowPrivate: far.ports.map((port) => ({ host: '127.0.0.1', port })),
    ports: [],
  })
  const paths = {
    file: join(made.folder, 'vault.age'),
    key: join(made.folder, 'vault-key'),
    record: join(made.folder, 'vault-record'),
    account: 'test',
    wanted: 'file',
  } as const
  host = { ...made, options: { ...made.options, vault: paths } }
  executor = await openExecutor(host.options)
  executor.setWorld(host.world)
  vault = await openVaultAt(paths)
})
afterEach(async () => {
  await executor.close()
  host.remove()
  await far.close()
})

async function use(tool: string, args: JsonObject): Promise<ToolResult> {
  const permit = await sealTestPermit(host, { tool, args }, executor.resolve)
  const reply = await executor.execute(permit, signal)
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return reply.result
}

const entry = () => serverNamed(executor.extensions.current(), 'far')

function egress() {
  return createEgress({ allow: host.options.egress, limits: defaultEgressLimits })
}

async function foundClient(): Promise<ServerOAuth> {
  const wish = {
    server: 'far',
    provider: far.provider,
    redirectPort: 49_152,
    scopes: undefined,
    clientId: undefined,
    hasSecret: false,
  }
  const found = await createServerOAuthFinder(egress()).client(far.url, wish, signal)
  if (found.kind === 'failed') throw new Error(found.reason)
  return found.oauth
}

async function add(oauth: ServerOAuth): Promise<void> {
  const launch = { kind: 'http', url: far.url, secret: null, oauth } as unknown as JsonObject
  await use('add_server', { name: 'far', launch, replaces: entry()?.launchHash ?? null })
}

/** Somebody at a browser, who allows it. */
async function signIn(oauth: ServerOAuth): Promise<void> {
  const server = createOAuthServer(egress())
  const redirectUri = `http://127.0.0.1:${oauth.redirectPort}/`
  const begun = await server.beginBrowser(oauth, redirectUri)
  const page = await fetch(begun.address, { redirect: 'manual' })
  const callback = new URL(page.headers.get('location') ?? '').search.slice(1)
  const reply = await server.redeem(
    { client: oauth, clientSecret: undefined },
    { ...begun, callback, redirectUri },
    signal,
  )
  if (reply.kind !== 'tokens') throw new Error(JSON.stringify(reply))
  const destinations = launchPlaces({ kind: 'http', url: far.url, secret: null, oauth })
  const tools = ['call_server_tool', 'look_at_server']
  await vault.put(oauth.secret, {
    value: reply.refreshToken ?? '',
    description: '',
    destinations: [...destinations],
    tools,
  })
}

async function lookAndAccept(): Promise<ToolResult> {
  const looked = await use('look_at_server', { server: 'far', launch: entry()?.launchHash ?? '' })
  const tools = (entry()?.offered ?? []).map((tool) => ({ tool, tier: 2 }))
  if (tools.length > 0)
    await use('accept_server_tools', { server: 'far', tools: tools as unknown as JsonObject[] })
  return looked
}

async function signedIn(): Promise<ServerOAuth> {
  const oauth = await foundClient()
  await add(oauth)
  await signIn(oauth)
  expect(await lookAndAccept()).toMatchObject({ ok: true })
  return oauth
}

function hello(): Promise<ToolResult> {
  const facts = serverToolFacts(executor.extensions.current()).find(({ name }) => name === 'far__hello')
  const inner = facts?.unwrap?.({})
  if (inner?.kind !== 'one') throw new Error('no tool hello')
  return use('call_server_tool', inner.call.args)
}

const refreshes = () => far.asked.filter((each) => each === 'POST provider/token').length

describe('a server that is signed in to', () => {
  it('is used with a token of its own, which is told to nobody and written nowhere', async () => {
    await signedIn()
    const answer = await hello()
    expect(answer).toMatchObject({ ok: true, label: { sources: ['server far'] } })
    expect(answer.text).toContain('hello, you showed ‹secret:server-oauth.far›')
    const written = [
      host.options.replayFile,
      host.options.vault?.file ?? '',
      host.options.vault?.record ?? '',
    ]
      .map((path) => readFileSync(path, 'latin1'))
      .join()
    for (const token of far.given) expect(written).not.toContain(token)
  })

  it('gets a new token when the old one has ended, and uses it until then', async () => {
    await signedIn()
    const before = refreshes()
    await hello()
    await hello()
    expect(refreshes()).toBe(before)
    far.endAccess()
    expect(await hello()).toMatchObject({ ok: true })
    expect(refreshes()).toBe(before + 1)
    // The refresh token was rotated, and its successor is what is kept.
    far.endAccess()
    expect(await hello()).toMatchObject({ ok: true })
  })

  it('says how to sign in again when the sign-in was taken back, and asks nobody until then', async () => {
    const oauth = await signedIn()
    far.revokeAll()
    expect(await hello()).toMatchObject({
      ok: false,
      text: expect.stringContaining('Sign in again: `countersign extension sign-in far`'),
    })
    const asked = far.asked.length
    await expect(hello()).rejects.toThrow('Sign in: `countersign extension sign-in far`')
    expect(far.asked.length).toBe(asked)
    await signIn(oauth)
    expect(await hello()).toMatchObject({ ok: true })
  })

  it('is used again after it was gone', async () => {
    await signedIn()
    await far.drop()
    expect(await hello()).toMatchObject({ ok: false })
    await far.comeBack()
    expect(await hello()).toMatchObject({ ok: true })
  })

  it('is not used with a token for another server', async () => {
    const oauth = await foundClient()
    await add(oauth)
    far.set({ audience: 'https://other.test/mcp' })
    await signIn(oauth)
    expect(await lookAndAccept()).toMatchObject({
      ok: false,
      text: expect.stringContaining('does not take the sign-in'),
    })
  })

  it('is not let in with the sign-in of another server, nor with its token as a secret', async () => {
    const oauth = await foundClient()
    await expect(add({ ...oauth, secret: 'server-oauth.near' })).rejects.toThrow('another server than far')
    const http = { kind: 'http', url: far.url }
    for (const launch of [
      { ...http, secret: 'server-oauth.far' },
      { ...http, secret: 'other', oauth },
      { ...http, secret: null, oauth: { ...oauth, resource: 'https://other.test/' } },
    ] as unknown as JsonObject[])
      await expect(use('add_server', { name: 'far', launch })).rejects.toThrow(/launch/)
  })

  it('does not keep its token for another client, and none when it is removed', async () => {
    const oauth = await signedIn()
    await add({ ...oauth, clientId: 'another' })
    expect((await vault.list()).map(({ name }) => name)).toEqual([])
    await add(oauth)
    await signIn(oauth)
    await use('remove_server', { server: 'far' })
    expect((await vault.list()).map(({ name }) => name)).toEqual([])
  })
})
