/**
 * A server lets in by itself and names the page of a provider where the operator has an account. The code that the
 * operator is given there would be shown to the server, with all that it takes to redeem it.
 */
import { createEgress, defaultEgressLimits } from '../../../../../../packages/executor/src/egress/egress.ts'
import { startSignedInServer } from '../../../../../../packages/executor/src/extensions/testing/signed-in-server.ts'
import { createServerOAuthFinder } from '../../../../../../packages/executor/src/oauth/find-server-oauth.ts'
import type { Attack } from '../attack.ts'

const page = 'https://login.test/authorize'

export const attack: Attack = {
  name: 'server-borrows-a-providers-page',
  promise:
    'The browser is led to the provider that was named, or its answer has to say the name of who gave the code.',
  mutant: 'sign-ins-begin-anywhere',
  async run(stage) {
    const far = await startSignedInServer()
    stage.afterwards(() => far.close())
    const allowPrivate = far.ports.map((port) => ({ host: '127.0.0.1', port }))
    const finder = createServerOAuthFinder(
      createEgress({ allow: { ports: [], allowPrivate }, limits: defaultEgressLimits }),
    )
    const wish = { server: 'far', provider: far.provider, redirectPort: 49_152 }
    const usual = { scopes: undefined, clientId: undefined, hasSecret: false }
    const led = async (metadata: Record<string, string | boolean>) => {
      far.set({ metadata })
      const found = await finder.client(far.url, { ...wish, ...usual }, AbortSignal.timeout(20_000))
      return found.kind === 'client' ? found.oauth : undefined
    }
    const silent = { authorization_response_iss_parameter_supported: false }
    const own = await led(silent)
    const named = await led({ authorization_endpoint: page })
    const borrowed = await led({ ...silent, authorization_endpoint: page })
    return {
      open: borrowed?.authorizationUrl === page,
      control: own !== undefined && named?.issuer === far.provider,
      saw: `with a page of another provider: ${borrowed?.authorizationUrl ?? 'refused'}`,
    }
  },
}
