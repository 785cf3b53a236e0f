/** Owns how attacks sign in to e-mail accounts by OAuth2: an honest provider, the gateway, and a browser that follows. */
import type { OAuthClient } from '@countersign/contract'
import { type OAuthProvider, startOAuthProvider } from '@countersign/executor/oauth-provider'
import type { Scene, Stage } from './stage.ts'

export interface SigningIn {
  readonly scene: Scene
  readonly provider: OAuthProvider
  add(name: string, oauth: Omit<OAuthClient, 'clientSecret'>): Promise<void>
  /** Signs in with a browser, and says whether it worked or why it did not. */
  signIn(name: string): Promise<string>
}

const redirectUri = 'http://127.0.0.1:49152/'

/** The gateway may reach the provider and these ports of this computer. */
export async function openSigningIn(stage: Stage, ports: readonly number[]): Promise<SigningIn> {
  const provider = await startOAuthProvider()
  stage.afterwards(() => provider.close())
  const targets = [provider.port, ...ports].map((port) => `127.0.0.1:${port}`)
  const scene = await stage.ownScene({ environment: { COUNTERSIGN_LOCAL_TARGETS: targets.join(',') } })
  const { client } = scene.gateway
  const server = { host: 'localhost', port: 49_153, security: 'none' } as const
  const person = { address: 'me@home.test', user: 'me@home.test', displayName: '' }
  return {
    scene,
    provider,
    async add(name, oauth) {
      await client.storeMailAccount(name, { ...person, imap: server, smtp: server, oauth })
    },
    async signIn(name) {
      const begun = await client.beginMailSignIn(name, { by: 'browser', redirectUri })
      const callback = await ledBackWith(begun.address)
      try {
        return (await client.endMailSignIn(name, { callback })).kind
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
  }
}

/** What stands in the address once the browser is led back to this computer. */
async function ledBackWith(address: string): Promise<string> {
  let at = address
  for (let hops = 0; hops < 5; hops += 1) {
    const response = await fetch(at, { redirect: 'manual' })
    const next = response.headers.get('location')
    if (next === null) throw new Error(`The browser stays at ${at}: ${await response.text()}`)
    if (next.startsWith(redirectUri)) return new URL(next).search.slice(1)
    at = new URL(next, at).href
  }
  throw new Error('The browser is led around for ever.')
}

export function clientOf({ client }: OAuthProvider): Omit<OAuthClient, 'clientSecret'> {
  const { clientSecret: _, ...shown } = client
  return shown
}
