/** A provider takes its time, until the server of the sign-in is removed or reached otherwise, and then gives its tokens. */
import type { InstalledExtensions, ServerOAuth } from '@countersign/contract'
import {
  createServerSignIns,
  type ServerSignInParts,
} from '../../../../../../packages/gateway/src/extensions/server-sign-in.ts'
import type { Attack } from '../attack.ts'

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
const installed = (...launches: string[]): InstalledExtensions => ({
  skills: [],
  proposals: [],
  servers: launches.map((launchHash) => ({
    name: 'far',
    launch: { kind: 'http', url: 'https://far.test/mcp', secret: null, oauth },
    launchHash,
    tools: [],
    offered: [],
    gone: [],
    listedAt: null,
    paused: false,
    addedAt: '',
  })),
})

export const attack: Attack = {
  name: 'sign-in-of-a-server-that-is-gone',
  promise: 'What a sign-in gave is kept only for the server that it was begun for, as that still is.',
  mutant: 'late-sign-ins-are-kept',
  async run() {
    const before = installed('a'.repeat(64))
    const [removed, changed] = [
      await kept(before, installed()),
      await kept(before, installed('b'.repeat(64))),
    ]
    const same = await kept(before, before)
    return {
      open: removed + changed > 0,
      control: same === 1,
      saw: `kept for the server as it was: ${same}, when it was removed: ${removed}, when it was changed: ${changed}`,
    }
  },
}

/** How many secrets are kept where things are so when the provider has answered. */
async function kept(before: InstalledExtensions, then: InstalledExtensions): Promise<number> {
  let now = before
  let stored = 0
  const parts = {
    extensions: () => now,
    secrets: {
      store: async () => {
        stored += 1
      },
    },
    secretValue: async () => undefined,
    server: {
      beginBrowser: async () => ({ address: 'https://login.test/authorize', state: 's', verifier: 'v' }),
      redeem: async () => {
        now = then
        return { kind: 'tokens', accessToken: 'access-token', refreshToken: 'refresh-token', lifeMs: 1 }
      },
    },
    act: async () => 1,
    clock: () => new Date(),
  } as unknown as ServerSignInParts
  const signIns = createServerSignIns(parts)
  const by = { operator: 'op_one', actor: { kind: 'operator' } } as never
  await signIns.begin(by, 'far', { by: 'browser', redirectUri: 'http://127.0.0.1:49152/' })
  await signIns.end(by, 'far', { callback: 'code=c&state=s' }).catch(() => undefined)
  return stored
}
