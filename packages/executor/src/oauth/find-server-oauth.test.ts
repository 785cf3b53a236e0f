import type { JsonObject } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, defaultEgressLimits } from '../egress/egress.ts'
import { type SignedInServer, startSignedInServer } from '../extensions/testing/signed-in-server.ts'
import { type ClientWish, createServerOAuthFinder, type ServerOAuthFinder } from './find-server-oauth.ts'

let far: SignedInServer
let finder: ServerOAuthFinder
const { signal } = new AbortController()

beforeEach(async () => {
  far = await startSignedInServer()
  const allowPrivate = far.ports.map((port) => ({ host: '127.0.0.1', port }))
  finder = createServerOAuthFinder(
    createEgress({ allow: { ports: [], allowPrivate }, limits: defaultEgressLimits }),
  )
})
afterEach(() => far.close())

const wish = (change: Partial<ClientWish> = {}): ClientWish => ({
  server: 'far',
  provider: far.provider,
  redirectPort: 49_152,
  scopes: undefined,
  clientId: undefined,
  hasSecret: false,
  ...change,
})
const client = (change: Partial<ClientWish> = {}) => finder.client(far.url, wish(change), signal)
const refused = (words: string) => ({ kind: 'failed', reason: expect.stringContaining(words) })

describe('who lets in', () => {
  it('is told by the server, and is not asked before somebody accepts it', async () => {
    expect(await finder.providers(far.url, signal)).toEqual({ kind: 'providers', providers: [far.provider] })
    expect(far.asked.filter((each) => each.includes('provider'))).toEqual([])
  })

  it('is refused where the server leads elsewhere to be told of it', async () => {
    for (const resourceMetadata of [
      'https://other.test/well-known',
      `${far.provider}/elsewhere`,
      'nowhere',
    ]) {
      far.set({ resourceMetadata })
      expect(await finder.providers(far.url, signal)).toMatchObject(refused('That is not followed'))
    }
    expect(far.asked.filter((each) => each.includes('provider'))).toEqual([])
  })

  it('is refused where the tokens are for another server', async () => {
    for (const resource of ['https://other.test/mcp', `${far.url}/deeper`, `${far.provider}/mcp`]) {
      far.set({ resource: { resource } })
      expect(await finder.providers(far.url, signal)).toMatchObject(refused('it could use them there'))
    }
  })

  it('is nobody without TLS, with a name in it, or written in letters that look like others', async () => {
    for (const address of ['http://login.test', 'https://me@login.test', 'https://lоgin.test', 'login'])
      expect(
        (far.set({ resource: { authorization_servers: [address] } }),
        await finder.providers(far.url, signal)),
      ).toMatchObject(refused('nobody who lets in'))
  })

  it('is nobody for a server in the network without TLS', async () => {
    expect(await finder.providers('http://home.test/mcp', signal)).toMatchObject(
      refused('needs an address with TLS'),
    )
  })
})

describe('a client', () => {
  it('is registered where the operator accepted to, for the port that the browser comes back to', async () => {
    const found = await client()
    expect(found).toMatchObject({
      kind: 'client',
      clientSecret: undefined,
      oauth: {
        provider: far.provider,
        issuer: far.provider,
        authorizationUrl: `${far.provider}/authorize`,
        tokenUrl: `${far.provider}/token`,
        resource: far.url,
        scopes: ['notes'],
        redirectPort: 49_152,
        secret: 'server-oauth.far',
        clientSecret: null,
      },
    })
    expect(far.asked).toContain('POST provider/register')
  })

  it('is not asked for where the server names somebody else', async () => {
    expect(await client({ provider: 'https://login.test' })).toMatchObject(
      refused('does not say that login.test'),
    )
    expect(far.asked.filter((each) => each.includes('provider'))).toEqual([])
  })

  it.each<[string, JsonObject]>([
    ['answers in the name of another', { issuer: 'https://other.test' }],
    ['does not tie a sign-in to who began it', { code_challenge_methods_supported: ['plain'] }],
    ['wants clients registered elsewhere', { registration_endpoint: 'https://other.test/register' }],
    ['leads the browser to a place without TLS', { authorization_endpoint: 'http://other.test/authorize' }],
    [
      'leads the browser to another one, and whose answer need not say from whom it is',
      {
        authorization_endpoint: 'https://other.test/authorize',
        authorization_response_iss_parameter_supported: false,
      },
    ],
    ['takes tokens at a place without TLS', { token_endpoint: 'http://other.test/token' }],
    [
      'wants clients to show themselves in an unknown way',
      { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
    ],
  ])('is refused at a provider that %s', async (_, metadata) => {
    far.set({ metadata })
    expect(await client()).toMatchObject({ kind: 'failed' })
    expect(far.asked).not.toContain('POST provider/token')
  })

  it('is for a provider whose page is elsewhere, where its answer has to have its name', async () => {
    far.set({ metadata: { authorization_endpoint: 'https://pages.test/authorize' } })
    expect(await client()).toMatchObject({
      kind: 'client',
      oauth: { issuer: far.provider, authorizationUrl: 'https://pages.test/authorize' },
    })
  })

  it('can be one that was registered by hand, where none are registered by themselves', async () => {
    far.set({
      metadata: {
        registration_endpoint: undefined as never,
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      },
    })
    expect(await client()).toMatchObject(refused('give --client-id'))
    expect(await client({ clientId: 'mine', hasSecret: true, scopes: ['all'] })).toMatchObject({
      kind: 'client',
      oauth: { clientId: 'mine', clientSecret: 'server-client.far', secretBy: 'header', scopes: ['all'] },
    })
  })

  it('asks for offline access where there is such a thing, and for what the server asks for first', async () => {
    far.set({ scope: 'read write', metadata: { scopes_supported: ['offline_access'] } })
    expect(await client()).toMatchObject({ oauth: { scopes: ['read', 'write', 'offline_access'] } })
  })
})
