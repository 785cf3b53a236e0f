import { type InstalledExtensions, noExtensions, type ServerOAuth } from '@countersign/contract'
import { expect, test } from 'vitest'
import { createServerSignIns, type ServerSignInParts } from './server-sign-in.ts'

const oauth: ServerOAuth = {
  clientId: 'client',
  provider: 'https://login.test',
  authorizationUrl: 'https://login.test/authorize',
  tokenUrl: 'https://login.test/token',
  deviceUrl: null,
  scopes: [],
  redirectHost: '127.0.0.1',
  redirectPort: 49_152,
  clientSecret: null,
  resource: 'https://far.test/mcp',
  secret: 'server-oauth.far',
}
const installed = (launchHash: string): InstalledExtensions => ({
  skills: [],
  proposals: [],
  servers: [
    {
      name: 'far',
      launch: { kind: 'http', url: 'https://far.test/mcp', secret: null, oauth },
      launchHash,
      tools: [],
      offered: [],
      gone: [],
      listedAt: null,
      paused: false,
      addedAt: '',
    },
  ],
})
const by = { operator: 'op_one', actor: { kind: 'operator' } } as never

/** `then` is how things are when the provider has answered. */
async function signedIn(then: InstalledExtensions) {
  let now = installed('a'.repeat(64))
  const stored: string[] = []
  const parts = {
    extensions: () => now,
    secrets: { store: async (_: unknown, name: string) => void stored.push(name) },
    secretValue: async () => undefined,
    server: {
      beginBrowser: async () => ({ address: 'https://login.test/authorize', state: 's', verifier: 'v' }),
      redeem: async () => {
        now = then
        return { kind: 'tokens', accessToken: 'access-token', refreshToken: 'refresh-token', lifeMs: 1 }
      },
    },
    act: async () => 1,
    clock: () => new Date('2026-11-19T00:00:00Z'),
  } as unknown as ServerSignInParts
  const signIns = createServerSignIns(parts)
  await signIns.begin(by, 'far', { by: 'browser', redirectUri: 'http://127.0.0.1:49152/' })
  const ended = await signIns.end(by, 'far', { callback: 'code=c&state=s' }).then(
    ({ kind }) => kind,
    ({ message }: Error) => message,
  )
  return { ended, stored }
}

test('keeps what a sign-in gave for the server that it was begun for', async () => {
  expect(await signedIn(installed('a'.repeat(64)))).toEqual({
    ended: 'signed-in',
    stored: ['server-oauth.far'],
  })
})

test('keeps nothing for a server that was changed or removed while the provider answered', async () => {
  const changed = await signedIn(installed('b'.repeat(64)))
  expect(changed).toEqual({ ended: expect.stringContaining('was changed meanwhile'), stored: [] })
  const removed = await signedIn(noExtensions)
  expect(removed).toEqual({ ended: expect.stringContaining('There is no server far'), stored: [] })
})
