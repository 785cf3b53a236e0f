/** The place that gives tokens leads the request with the code, and all that goes with it, on to another service. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Attack } from '../attack.ts'
import { clientOf, openSigningIn } from '../signing-in.ts'

export const attack: Attack = {
  name: 'sign-in-led-elsewhere',
  promise:
    'What is said to the place that gives tokens goes to no place that the operator did not name for it.',
  mutant: 'sign-ins-are-led-on',
  async run(stage) {
    const elsewhere = await stage.listen('{}')
    let asked = 0
    const leading = createServer((_request, response) => {
      asked += 1
      response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/token` }).end()
    })
    await new Promise<void>((resolve) => leading.listen(0, '127.0.0.1', resolve))
    stage.afterwards(() => new Promise((resolve) => leading.close(resolve).closeAllConnections()))
    const { port } = leading.address() as AddressInfo
    const { provider, add, signIn } = await openSigningIn(stage, [port, elsewhere.port])
    const honest = clientOf(provider)
    await add('home', honest)
    await add('led', { ...honest, tokenUrl: `http://127.0.0.1:${port}/token` })
    const atHome = await signIn('home')
    const led = await signIn('led')
    return {
      open: elsewhere.seen.length > 0,
      control: atHome === 'signed-in' && asked > 0,
      saw: `at home: ${atHome}; led on: ${led}; ${elsewhere.seen.length} requests elsewhere`,
    }
  },
}
