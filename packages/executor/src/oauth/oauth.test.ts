import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OAuthClient } from '@countersign/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, defaultEgressLimits } from '../egress/egress.ts'
import { createSecretsAccess } from '../vault/secrets-access.ts'
import { openVaultAt, type VaultPaths } from '../vault/vault-paths.ts'
import { createAccessTokens, type GrantSource, type WantedToken } from './access-tokens.ts'
import { createOAuthServer, type OAuthServer } from './oauth-server.ts'
import { type OAuthProvider, startOAuthProvider } from './testing/oauth-provider.ts'

let provider: OAuthProvider
let server: OAuthServer
beforeAll(async () => {
  provider = await startOAuthProvider()
  server = serverFor(provider.port)
})
afterEach(() =>
  provider.set({ rotates: false, wantsSecret: false, denies: false, beforeReply: async () => undefined }),
)
afterAll(() => provider?.close())

const { signal } = new AbortController()
const redirectUri = 'http://127.0.0.1:49152/'

function serverFor(port: number): OAuthServer {
  const allow = { ports: [], allowPrivate: [{ host: '127.0.0.1', port }] }
  return createOAuthServer(createEgress({ allow, limits: defaultEgressLimits }))
}

const asker = (client: OAuthClient = provider.client) => ({ client, clientSecret: undefined })

/** What the browser would be led back with. */
async function callbackFrom(address: string): Promise<string> {
  const response = await fetch(address, { redirect: 'manual' })
  const back = response.headers.get('location')
  if (back === null) throw new Error(await response.text())
  return new URL(back).search.slice(1)
}

describe('a sign-in with a browser', () => {
  it('asks with PKCE, state and the scopes, and gives tokens for the answer', async () => {
    const sign = await server.beginBrowser(provider.client, redirectUri)
    const asks = new URL(sign.address).searchParams
    expect(Object.fromEntries(asks)).toMatchObject({
      access_type: 'offline',
      client_id: 'client-1',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'mail offline_access',
      code_challenge_method: 'S256',
    })
    expect(sign.address).not.toContain(sign.verifier)
    const callback = await callbackFrom(sign.address)
    const reply = await server.redeem(asker(), { ...sign, callback, redirectUri }, signal)
    expect(reply).toMatchObject({ kind: 'tokens', lifeMs: 3_600_000, refreshToken: expect.any(String) })
    // A code holds once.
    expect(await server.redeem(asker(), { ...sign, callback, redirectUri }, signal)).toEqual({
      kind: 'refused',
      code: 'invalid_grant',
    })
  })

  it('refuses an answer in the name of another provider, and one without a name where it has to have one', async () => {
    const sign = await server.beginBrowser(provider.client, redirectUri)
    const said = new URLSearchParams(await callbackFrom(sign.address))
    const before = provider.asked('authorization_code')
    const redeem = async (names: readonly string[], issuer?: string) => {
      said.delete('iss')
      for (const name of names) said.append('iss', name)
      const client = { ...provider.client, ...(issuer === undefined ? {} : { issuer }) }
      return server.redeem(asker(client), { ...sign, callback: said.toString(), redirectUri }, signal)
    }
    const own = `http://127.0.0.1:${provider.port}`
    const other = { kind: 'refused', code: 'issuer_mismatch' }
    for (const names of [['https://other.test'], [own, 'https://other.test'], ['nobody'], [`${own}0`]])
      expect(await redeem(names)).toEqual(other)
    for (const names of [[], [own], ['https://issuer.test/'], ['https://issuer.test', 'https://issuer.test']])
      expect(await redeem(names, 'https://issuer.test')).toEqual(other)
    expect(provider.asked('authorization_code')).toBe(before)
    expect(await redeem(['https://issuer.test'], 'https://issuer.test')).toMatchObject({ kind: 'tokens' })
  })

  it('refuses an answer with another state, another port or another verifier', async () => {
    const sign = await server.beginBrowser(provider.client, redirectUri)
    const other = await server.beginBrowser(provider.client, redirectUri)
    const before = provider.asked('authorization_code')
    const mixed = await callbackFrom(other.address)
    for (const callback of [mixed, 'code=abc', `state=${sign.state}`, ''])
      expect(await server.redeem(asker(), { ...sign, callback, redirectUri }, signal)).toEqual({
        kind: 'refused',
        code: 'state_mismatch',
      })
    expect(provider.asked('authorization_code')).toBe(before)
    const callback = () => callbackFrom(sign.address)
    const elsewhere = { ...sign, callback: await callback(), redirectUri: 'http://127.0.0.1:49153/' }
    expect(await server.redeem(asker(), elsewhere, signal)).toEqual({
      kind: 'refused',
      code: 'invalid_grant',
    })
    const unproven = { ...sign, callback: await callback(), redirectUri, verifier: other.verifier }
    expect(await server.redeem(asker(), unproven, signal)).toEqual({ kind: 'refused', code: 'invalid_grant' })
  })

  it('tells a denial, and a client that the provider does not know', async () => {
    provider.set({ denies: true, wantsSecret: true })
    const sign = await server.beginBrowser(provider.client, redirectUri)
    const callback = await callbackFrom(sign.address)
    expect(await server.redeem(asker(), { ...sign, callback, redirectUri }, signal)).toEqual({
      kind: 'refused',
      code: 'access_denied',
    })
    const refresh = (clientSecret: string | undefined) =>
      server.refresh({ client: provider.client, clientSecret }, provider.grant('me@home.test'), signal)
    expect(await refresh(undefined)).toEqual({ kind: 'refused', code: 'invalid_client' })
    expect(await refresh(provider.clientSecret)).toMatchObject({ kind: 'tokens' })
  })
})

describe('a sign-in with a code that is typed', () => {
  it('waits until somebody has typed it', async () => {
    const device = await server.beginDevice(asker(), signal)
    if (device.kind !== 'device') throw new Error(device.kind)
    expect(await server.pollDevice(asker(), device.deviceCode, signal)).toEqual({
      kind: 'pending',
      slower: false,
    })
    provider.typeCode(device.userCode)
    expect(await server.pollDevice(asker(), device.deviceCode, signal)).toMatchObject({ kind: 'tokens' })
  })
})

describe('an answer', () => {
  it('that is nonsense, too large or from a closed place fails without repeating it', async () => {
    const answers = ['<html>secret-words', JSON.stringify({ access_token: 'a b', token_type: 'bearer' })]
    answers.push(JSON.stringify({ access_token: 'x'.repeat(300_000), token_type: 'bearer' }))
    answers.push(JSON.stringify({ access_token: 'tokentoken', token_type: 'mac' }))
    const web = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answers.shift() ?? '')
    })
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    const { port } = web.address() as { port: number }
    const client = { ...provider.client, tokenUrl: `http://127.0.0.1:${port}/token` }
    for (let left = answers.length; left > 0; left -= 1) {
      const reply = await serverFor(port).refresh(asker(client), 'refresh-token-1', signal)
      expect(reply.kind).toBe('failed')
      expect(JSON.stringify(reply)).not.toMatch(/secret-words|refresh-token-1|tokentoken/)
    }
    expect(await serverFor(1).refresh(asker(client), 'refresh-token-1', signal)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('localTargets'),
    })
    web.close()
  })
})

describe('a token that is rotated', () => {
  let folder: string
  let vault: VaultPaths
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oauth-kill-'))
    vault = {
      file: join(folder, 'secrets.age'),
      key: join(folder, 'vault.key'),
      record: join(folder, 'vault.json'),
      account: 'test',
      wanted: 'file',
    }
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const place = () => ({ scheme: 'http' as const, host: '127.0.0.1', port: provider.port })
  const wanted = (): Omit<WantedToken, 'grants'> => ({
    secret: 'mail-oauth.home',
    client: provider.client,
    places: [place()],
    owner: 'me@home.test',
    signIn: 'countersign mail sign-in home',
    setUp: 'countersign mail add home',
  })

  async function killed(stop: 'before storing' | 'after storing' | 'nowhere'): Promise<string> {
    provider.set({ rotates: true })
    const open = await openVaultAt(vault)
    const value = provider.grant('me@home.test')
    await open.put('mail-oauth.home', { value, description: '', destinations: [place()], tools: [] })
    const told = JSON.stringify({ vault, port: provider.port, wanted: wanted(), stop })
    const program = join(import.meta.dirname, 'testing/refresh-process.ts')
    const child = spawn(process.execPath, [program, told], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    if (stop === 'nowhere')
      provider.set({
        // The provider has rotated it, and nobody hears what it says.
        beforeReply: async () => {
          child.kill('SIGKILL')
          await ended
        },
      })
    else child.stdout.once('data', () => child.kill('SIGKILL'))
    await ended
    expect(child.signalCode).toBe('SIGKILL')
    provider.set({ beforeReply: async () => undefined })
    const tokens = createAccessTokens(server, () => new Date())
    const subject = { secrets: ['mail-oauth.home'], tool: { name: 'list_emails' } as never }
    const grants: GrantSource = createSecretsAccess(vault).grantsFor(subject)
    const reply = await tokens.token({ ...wanted(), grants }, undefined, signal)
    return reply.kind === 'failed' ? reply.reason : reply.kind
  }

  it('is not lost when the process is killed after it was stored', async () => {
    expect(await killed('after storing')).toBe('token')
  }, 30_000)

  it('asks to sign in again when the process is killed before it was stored', async () => {
    expect(await killed('before storing')).toContain('Sign in again: `countersign mail sign-in home`')
    expect(await killed('nowhere')).toContain('Sign in again: `countersign mail sign-in home`')
  }, 30_000)

  it('is not used where it cannot be stored', async () => {
    provider.set({ rotates: true })
    const grants: GrantSource = {
      current: async () => provider.grant('me@home.test'),
      exchange: () => Promise.reject(new Error('no space left')),
      mask: () => undefined,
    }
    const tokens = createAccessTokens(server, () => new Date())
    expect(await tokens.token({ ...wanted(), grants }, undefined, signal)).toEqual({
      kind: 'failed',
      reason: 'The sign-in could not be renewed: no space left',
    })
  })

  it('is stored though whoever asked for it has gone', async () => {
    provider.set({ rotates: true })
    const gone = new AbortController()
    const stored = Promise.withResolvers<string | null>()
    const grants: GrantSource = {
      current: async () => provider.grant('me@home.test'),
      async exchange(_name, _before, after) {
        stored.resolve(after)
        return true
      },
      mask: () => undefined,
    }
    provider.set({ beforeReply: async () => gone.abort() })
    const tokens = createAccessTokens(server, () => new Date())
    const reply = await tokens.token({ ...wanted(), grants }, undefined, gone.signal)
    expect(reply).toEqual({ kind: 'failed', reason: 'It was cancelled.' })
    expect(await stored.promise).toMatch(/^refresh\./)
  })
})
