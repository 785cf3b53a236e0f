/**
 * A provider of OAuth2 for tests, on this computer: authorization code with PKCE, device code, refresh with rotation, and
 * introspection for mail servers. Holds to the protocol, so that what speaks it wrongly is refused.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { OAuthClient } from '@countersign/contract'

export interface OAuthProvider {
  readonly port: number
  readonly introspectionUrl: string
  /** A client that is registered there, without a secret. */
  readonly client: OAuthClient
  readonly clientSecret: string
  /** Every token that was ever given out, to look for where none may be. */
  readonly given: readonly string[]
  /** How often tokens were asked for, by the kind of grant. */
  asked(grant: string): number
  set(change: Partial<Behaviour>): void
  /** Somebody types the code of a device. */
  typeCode(userCode: string): void
  /** Signs a person in without a browser; gives the refresh token. */
  grant(user: string): string
  /** As a person does in the settings of their account. */
  revokeAll(): void
  /** Ends access tokens before their time; refresh tokens hold. */
  endAccess(): void
  close(): Promise<void>
}

interface Behaviour {
  readonly lifeSeconds: number
  /** A refresh token holds once. */
  readonly rotates: boolean
  /** The client must show its secret. */
  readonly wantsSecret: boolean
  /** Who signs in at the page. */
  readonly user: string
  readonly denies: boolean
  /** Called when tokens were made, before they are told. */
  readonly beforeReply: () => Promise<void>
}

interface Code {
  readonly challenge: string
  readonly redirectUri: string
  readonly user: string
}

const clientSecret = 'client-secret-Zx81'

export async function startOAuthProvider(): Promise<OAuthProvider> {
  let behaviour: Behaviour = {
    lifeSeconds: 3_600,
    rotates: false,
    wantsSecret: false,
    user: 'me@home.test',
    denies: false,
    beforeReply: async () => undefined,
  }
  const given: string[] = []
  const asked: string[] = []
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, string>()
  const accessTokens = new Map<string, string>()
  const devices = new Map<string, { readonly userCode: string; typed: boolean }>()

  const made = (words: string) => {
    const token = `${words}.${randomUUID()}`
    given.push(token)
    return token
  }
  const tokensFor = (user: string, refreshToken?: string) => {
    const access = made('access')
    accessTokens.set(access, user)
    const next = refreshToken ?? made('refresh')
    refreshTokens.set(next, user)
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: behaviour.lifeSeconds,
      ...(next === refreshToken ? {} : { refresh_token: next }),
    }
  }

  function granted(form: URLSearchParams): { status: number; body: object } {
    const type = form.get('grant_type') ?? ''
    asked.push(type)
    const refused = (error: string) => ({ status: 400, body: { error } })
    if (form.get('client_id') !== 'client-1') return { status: 401, body: { error: 'invalid_client' } }
    if (behaviour.wantsSecret && form.get('client_secret') !== clientSecret)
      return { status: 401, body: { error: 'invalid_client' } }
    if (type === 'authorization_code') {
      const code = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (!code || code.challenge !== challenge || code.redirectUri !== form.get('redirect_uri'))
        return refused('invalid_grant')
      return { status: 200, body: tokensFor(code.user) }
    }
    if (type === 'refresh_token') {
      const shown = form.get('refresh_token') ?? ''
      const user = refreshTokens.get(shown)
      if (user === undefined) return refused('invalid_grant')
      if (!behaviour.rotates) return { status: 200, body: tokensFor(user, shown) }
      refreshTokens.delete(shown)
      return { status: 200, body: tokensFor(user) }
    }
    const device = devices.get(form.get('device_code') ?? '')
    if (type !== 'urn:ietf:params:oauth:grant-type:device_code' || !device) return refused('invalid_grant')
    return device.typed ? { status: 200, body: tokensFor(behaviour.user) } : refused('authorization_pending')
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const say = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (url.pathname === '/authorize') {
      const asks = url.searchParams
      const redirectUri = asks.get('redirect_uri') ?? ''
      const isSound =
        asks.get('client_id') === 'client-1' &&
        asks.get('response_type') === 'code' &&
        asks.get('code_challenge_method') === 'S256' &&
        (asks.get('state') ?? '').length >= 20 &&
        asks.get('access_type') === 'offline' &&
        /^http:\/\/127\.0\.0\.1:\d+\/$/.test(redirectUri)
      if (!isSound) return say(400, { error: 'invalid_request' })
      const back = new URL(redirectUri)
      back.searchParams.set('state', asks.get('state') ?? '')
      back.searchParams.set('iss', `http://127.0.0.1:${port}`)
      if (behaviour.denies) back.searchParams.set('error', 'access_denied')
      else {
        const code = made('code')
        codes.set(code, { challenge: asks.get('code_challenge') ?? '', redirectUri, user: behaviour.user })
        back.searchParams.set('code', code)
      }
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const form = new URLSearchParams(await textOf(request))
    if (url.pathname === '/device') {
      const [code, userCode] = [made('device'), randomUUID().slice(0, 8)]
      devices.set(code, { userCode, typed: false })
      const address = `http://127.0.0.1:${port}/type`
      return say(200, {
        device_code: code,
        user_code: userCode,
        verification_uri: address,
        expires_in: 600,
        interval: 1,
      })
    }
    if (url.pathname === '/introspect') {
      const user = accessTokens.get(form.get('token') ?? '')
      return say(
        200,
        user === undefined ? { active: false } : { active: true, username: user, scope: 'mail' },
      )
    }
    if (url.pathname !== '/token') return say(404, {})
    const { status, body } = granted(form)
    await behaviour.beforeReply()
    say(status, body)
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const at = (path: string) => `http://127.0.0.1:${port}/${path}`
  return {
    port,
    introspectionUrl: at('introspect'),
    client: {
      clientId: 'client-1',
      authorizationUrl: at('authorize?access_type=offline'),
      tokenUrl: at('token'),
      deviceUrl: at('device'),
      scopes: ['mail', 'offline_access'],
      redirectHost: '127.0.0.1',
      clientSecret: null,
    },
    clientSecret,
    given,
    asked: (grant) => asked.filter((each) => each === grant).length,
    set(change) {
      behaviour = { ...behaviour, ...change }
    },
    typeCode(userCode) {
      for (const device of devices.values()) if (device.userCode === userCode) device.typed = true
    },
    grant(user) {
      const token = made('refresh')
      refreshTokens.set(token, user)
      return token
    },
    revokeAll() {
      refreshTokens.clear()
      accessTokens.clear()
    },
    endAccess: () => accessTokens.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}
