/**
 * A server of the Model Context Protocol that wants a sign-in, and the provider that lets in, each at a port of this
 * computer. Holds to the protocols: PKCE, resource indicators, one use of each code and refresh token. For tests.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { JsonObject } from '@countersign/contract'

export interface SignedInServer {
  readonly url: string
  readonly provider: string
  readonly ports: readonly number[]
  /** Every token and code that was ever given out, to look for where none may be. */
  readonly given: readonly string[]
  /** What came to either, as method and path. */
  readonly asked: readonly string[]
  set(change: Partial<SignedInBehaviour>): void
  /** Ends access tokens before their time; refresh tokens hold. */
  endAccess(): void
  /** As a person does in the settings of their account. */
  revokeAll(): void
  /** Takes the server away, or brings it back at its port. */
  drop(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export interface SignedInBehaviour {
  /** What the server says of its sign-in, beside or instead of what is true. */
  readonly resource: JsonObject
  /** What the provider says of itself, beside or instead of what is true. */
  readonly metadata: JsonObject
  /** Where the server says that its metadata lies. */
  readonly resourceMetadata: string
  /** In whose name the provider answers the browser. */
  readonly iss: string | null
  /** For whom tokens are, whatever was asked. */
  readonly audience: string | null
  readonly lifeSeconds: number
  readonly scope: string
}

interface Kept {
  readonly audience: string
}
interface Code extends Kept {
  readonly challenge: string
  readonly redirectUri: string
  readonly client: string
}

export async function startSignedInServer(): Promise<SignedInServer> {
  const asked: string[] = []
  const given: string[] = []
  const [codes, access, refresh] = [new Map<string, Code>(), new Map<string, Kept>(), new Map<string, Kept>()]
  const clients = new Map<string, string>()
  let behaviour: Partial<SignedInBehaviour> = {}

  const made = (kind: string) => {
    const token = `${kind}-${randomUUID()}`
    given.push(token)
    return token
  }
  const tokensFor = (audience: string) => {
    const [accessToken, refreshToken] = [made('access'), made('refresh')]
    access.set(accessToken, { audience })
    refresh.set(refreshToken, { audience })
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: behaviour.lifeSeconds ?? 3600,
    }
  }

  const atServer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/'
    asked.push(`${request.method} server${path}`)
    if (path === '/.well-known/oauth-protected-resource/mcp')
      return say(response, 200, {
        resource: url,
        authorization_servers: [provider],
        scopes_supported: ['notes'],
        ...behaviour.resource,
      })
    if (path !== '/mcp') return say(response, 404, {})
    const text = await textOf(request)
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (access.get(token)?.audience !== url) {
      const where =
        behaviour.resourceMetadata ?? `${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`
      const scope = behaviour.scope === undefined ? '' : `, scope="${behaviour.scope}"`
      response.setHeader('www-authenticate', `Bearer resource_metadata="${where}"${scope}`)
      return say(response, 401, {})
    }
    const { id = null, method, params } = JSON.parse(text) as JsonObject
    if (id === null) return say(response, 202, {})
    return say(response, 200, {
      jsonrpc: '2.0',
      id,
      result: resultOf(typeof method === 'string' ? method : '', params as JsonObject, token),
    })
  }

  const authorize = (asks: URLSearchParams, response: ServerResponse) => {
    const redirectUri = asks.get('redirect_uri') ?? ''
    const client = asks.get('client_id') ?? ''
    const isSound =
      clients.get(client) === redirectUri &&
      asks.get('response_type') === 'code' &&
      asks.get('code_challenge_method') === 'S256' &&
      (asks.get('state') ?? '').length >= 20
    if (!isSound) return say(response, 400, { error: 'invalid_request' })
    const back = new URL(redirectUri)
    const code = made('code')
    const audience = behaviour.audience ?? asks.get('resource') ?? ''
    codes.set(code, { challenge: asks.get('code_challenge') ?? '', redirectUri, client, audience })
    back.searchParams.set('state', asks.get('state') ?? '')
    back.searchParams.set('code', code)
    if (behaviour.iss !== null) back.searchParams.set('iss', behaviour.iss ?? provider)
    response.writeHead(302, { location: back.href }).end()
  }

  const granted = (form: URLSearchParams) => {
    const refused = (error: string) => ({ status: 400, body: { error } })
    if (!clients.has(form.get('client_id') ?? '')) return refused('invalid_client')
    if (form.get('grant_type') === 'refresh_token') {
      const shown = form.get('refresh_token') ?? ''
      const kept = refresh.get(shown)
      refresh.delete(shown)
      if (!kept || form.get('resource') === null) return refused('invalid_grant')
      return { status: 200, body: tokensFor(kept.audience) }
    }
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isSound =
      code?.challenge === proof &&
      code.redirectUri === form.get('redirect_uri') &&
      code.client === form.get('client_id') &&
      form.get('resource') !== null
    return isSound ? { status: 200, body: tokensFor(code.audience) } : refused('invalid_grant')
  }

  const atProvider = async (request: IncomingMessage, response: ServerResponse) => {
    const at = new URL(request.url ?? '/', provider)
    asked.push(`${request.method} provider${at.pathname}`)
    switch (at.pathname) {
      case '/.well-known/oauth-authorization-server':
        return say(response, 200, {
          issuer: provider,
          authorization_endpoint: `${provider}/authorize`,
          token_endpoint: `${provider}/token`,
          registration_endpoint: `${provider}/register`,
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          authorization_response_iss_parameter_supported: true,
          ...behaviour.metadata,
        })
      case '/register': {
        const wish = JSON.parse(await textOf(request)) as { redirect_uris: string[] }
        const id = `client-${randomUUID()}`
        clients.set(id, wish.redirect_uris[0] ?? '')
        return say(response, 201, { client_id: id, token_endpoint_auth_method: 'none' })
      }
      case '/authorize':
        return authorize(at.searchParams, response)
      case '/token': {
        const { status, body } = granted(new URLSearchParams(await textOf(request)))
        return say(response, status, body)
      }
      default:
        return say(response, 404, {})
    }
  }

  const [server, giver] = [listener(atServer), listener(atProvider)]
  const port = await listening(server, 0)
  const providerPort = await listening(giver, 0)
  const url = `http://127.0.0.1:${port}/mcp`
  const provider = `http://127.0.0.1:${providerPort}`
  return {
    url,
    provider,
    ports: [port, providerPort],
    given,
    asked,
    set(change) {
      behaviour = { ...behaviour, ...change }
    },
    endAccess: () => access.clear(),
    revokeAll() {
      access.clear()
      refresh.clear()
    },
    drop: () => ended(server),
    comeBack: async () => void (await listening(server, port)),
    async close() {
      await Promise.all([ended(server), ended(giver)])
    },
  }
}

function resultOf(method: string, params: JsonObject, token: string): JsonObject {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params['protocolVersion'] ?? '',
        capabilities: { tools: {} },
        serverInfo: { name: 'signed-in', version: '1' },
      }
    case 'tools/list':
      return { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] }
    default:
      return { content: [{ type: 'text', text: `hello, you showed ${token}` }] }
  }
}

function listener(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
): Server {
  return createServer((request, response) => {
    void Promise.resolve(answer(request, response)).catch(() => response.destroy())
  })
}

async function listening(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

function ended(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function say(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}
