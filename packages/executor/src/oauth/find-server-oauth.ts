/**
 * Owns finding out how somebody signs in to a server of the Model Context Protocol: who lets in (RFC 9728), what that place
 * says of itself (RFC 8414), and a client there (RFC 7591). Asks the server at its own place only, and whoever lets in only
 * when the operator accepted to. Everything that is said is a stranger's: what leads elsewhere or names another is refused.
 */
import {
  isForAddress,
  mostProviders,
  OAuthAddress,
  ServerOAuth,
  serverClientSecretName,
  serverGrantName,
} from '@countersign/contract'
import type { Failure } from '@countersign/tools'
import { z } from 'zod'
import type { Egress } from '../egress/egress.ts'
import { egressFetch, OAuthUnreachable } from './egress-fetch.ts'

export interface ProvidersFound {
  readonly kind: 'providers'
  readonly providers: readonly string[]
}

export interface ClientWish {
  /** The name of the server here. */
  readonly server: string
  readonly provider: string
  readonly redirectPort: number
  /** What the server asks for, where nothing is said. */
  readonly scopes: readonly string[] | undefined
  /** One is registered where none is named. */
  readonly clientId: string | undefined
  readonly hasSecret: boolean
}

export interface ClientFound {
  readonly kind: 'client'
  readonly oauth: ServerOAuth
  /** That came with the client that was registered. */
  readonly clientSecret: string | undefined
}

export interface ServerOAuthFinder {
  providers(address: string, signal: AbortSignal): Promise<ProvidersFound | Failure>
  /** Refuses a provider that the server does not name. */
  client(address: string, wish: ClientWish, signal: AbortSignal): Promise<ClientFound | Failure>
}

export function createServerOAuthFinder(egress: Egress): ServerOAuthFinder {
  return {
    providers: (address, signal) =>
      answered(async () => {
        const { providers } = await resourceAt(address, egressFetch(egress, signal, ['www-authenticate']))
        return { kind: 'providers', providers }
      }),
    client: (address, wish, signal) =>
      answered(async () => {
        const fetch = egressFetch(egress, signal, ['www-authenticate'])
        const resource = await resourceAt(address, fetch)
        if (!resource.providers.includes(wish.provider))
          throw new Unfit(`The server does not say that ${hostOf(wish.provider)} lets in. Begin again.`)
        const provider = await providerAt(wish.provider, resource, fetch)
        const scopes = scopesOf(wish, resource, provider)
        const client = await clientOf(wish, { provider, scopes }, fetch)
        return { kind: 'client', ...found(wish, { resource, provider, scopes, client }) }
      }),
  }
}

type Fetch = ReturnType<typeof egressFetch>

/** Words for a person, about a server or a provider that cannot be signed in to. */
class Unfit extends Error {}

async function answered<Found>(find: () => Promise<Found>): Promise<Found | Failure> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Unfit || error instanceof OAuthUnreachable)
      return { kind: 'failed', reason: error.message }
    throw error
  }
}

interface ProtectedResource {
  readonly resource: string
  readonly providers: readonly string[]
  readonly scopes: readonly string[]
  /** It tells nothing about signing in, as servers of 2025 did: then its own place lets in. */
  readonly isSilent: boolean
}

const ResourceMetadata = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()).max(100).optional(),
  scopes_supported: z.array(z.string()).max(1000).optional(),
})

async function resourceAt(address: string, fetch: Fetch): Promise<ProtectedResource> {
  const { origin, pathname, href } = new URL(address)
  if (!OAuthAddress.safeParse(address).success)
    throw new Unfit('A sign-in needs an address with TLS: without it, only a server on this computer.')
  const challenge = await challengeOf(address, fetch)
  const named = challenge.metadata
  if (named !== undefined && URL.parse(named)?.origin !== origin)
    throw new Unfit(
      `The server says that what is to be known about signing in lies elsewhere (${hostOf(named)}). That is not followed.`,
    )
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`
  const places = named === undefined ? [`${wellKnown}${pathname.replace(/\/$/, '')}`, wellKnown] : [named]
  const said = await firstOf(places, ResourceMetadata, fetch)
  if (said === undefined) {
    if (!challenge.asks) throw new Unfit('The server does not ask anybody to sign in.')
    return { resource: href, providers: [origin], scopes: challenge.scopes, isSilent: true }
  }
  if (!isForAddress(said.resource, address))
    throw new Unfit(
      `The server names another one whose tokens it wants (${hostOf(said.resource)}). That is refused: it could use them there.`,
    )
  const providers = (said.authorization_servers ?? [origin]).filter(
    (each) => ServerOAuth.shape.provider.safeParse(each).success,
  )
  if (providers.length === 0) throw new Unfit('The server names nobody who lets in at an address with TLS.')
  const scopes = challenge.scopes.length > 0 ? challenge.scopes : soundScopes(said.scopes_supported ?? [])
  return { resource: said.resource, providers: providers.slice(0, mostProviders), scopes, isSilent: false }
}

/** What it says to somebody without a token. */
async function challengeOf(address: string, fetch: Fetch) {
  const ask = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(ask),
  })
  const said = response.headers.get('www-authenticate') ?? ''
  const word = (name: string) => new RegExp(`\\b${name}="([^"]{1,1000})"`, 'i').exec(said)?.[1]
  return {
    asks: response.status === 401 || response.status === 403,
    metadata: word('resource_metadata'),
    scopes: soundScopes(word('scope')?.split(' ') ?? []),
  }
}

function soundScopes(scopes: readonly string[]): string[] {
  const { element } = ServerOAuth.shape.scopes
  return scopes.filter((scope) => element.safeParse(scope).success).slice(0, 20)
}

const ProviderMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string().optional(),
  scopes_supported: z.array(z.string()).max(1000).optional(),
  code_challenge_methods_supported: z.array(z.string()).max(100).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).max(100).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
type ProviderMetadata = z.infer<typeof ProviderMetadata>

async function providerAt(
  provider: string,
  { isSilent }: ProtectedResource,
  fetch: Fetch,
): Promise<ProviderMetadata> {
  const { origin, pathname } = new URL(provider)
  const path = pathname.replace(/\/$/, '')
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ]
  const said = await firstOf(places, ProviderMetadata, fetch)
  if (said === undefined) {
    if (!isSilent) throw new Unfit(`${hostOf(provider)} does not say how somebody signs in there.`)
    return usualProvider(origin)
  }
  // Where the server lets in itself and says nothing, the name of its place is not one that somebody gave.
  const isItself = isSilent && URL.parse(said.issuer)?.origin === origin
  if (said.issuer !== provider && !(path === '' && said.issuer === `${origin}/`) && !isItself)
    throw new Unfit(`${hostOf(provider)} answers in the name of another provider (${hostOf(said.issuer)}).`)
  if (!said.code_challenge_methods_supported?.includes('S256'))
    throw new Unfit(
      `${hostOf(provider)} does not say that it ties a sign-in to who began it (PKCE with S256), so its code could be used by others.`,
    )
  return said
}

/** As the protocol of March 2025 has it, where nothing is said. */
function usualProvider(origin: string): ProviderMetadata {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  }
}

function scopesOf(
  { scopes }: ClientWish,
  resource: ProtectedResource,
  { scopes_supported: known = [] }: ProviderMetadata,
): readonly string[] {
  if (scopes !== undefined) return scopes
  const offline = known.includes('offline_access') && !resource.scopes.includes('offline_access')
  return [...resource.scopes, ...(offline ? ['offline_access'] : [])].slice(0, 20)
}

interface KnownClient {
  readonly id: string
  readonly secret: string | undefined
  readonly hasSecret: boolean
  readonly isShownInHeader: boolean
}

const Registered = z.object({
  client_id: z.string(),
  client_secret: z.string().min(8).max(4096).optional(),
  token_endpoint_auth_method: z.string().optional(),
})

async function clientOf(
  { provider: name, redirectPort, clientId, hasSecret }: ClientWish,
  { provider, scopes }: { readonly provider: ProviderMetadata; readonly scopes: readonly string[] },
  fetch: Fetch,
): Promise<KnownClient> {
  const methods = provider.token_endpoint_auth_methods_supported
  const usual = hasSecret
    ? ['client_secret_post', 'client_secret_basic']
    : ['none', 'client_secret_post', 'client_secret_basic']
  const method = methods === undefined ? usual[0] : usual.find((each) => methods.includes(each))
  if (method === undefined)
    throw new Unfit(
      `${hostOf(name)} lets in only clients that show who they are in a way that is not known here.`,
    )
  if (clientId !== undefined)
    return { id: clientId, secret: undefined, hasSecret, isShownInHeader: method === 'client_secret_basic' }
  const place = provider.registration_endpoint
  if (place === undefined)
    throw new Unfit(
      `${hostOf(name)} registers no clients by itself. Register one there (a desktop or native application, redirect address http://127.0.0.1:${redirectPort}/), and give --client-id and --redirect-port ${redirectPort}.`,
    )
  if (URL.parse(place)?.origin !== new URL(name).origin)
    throw new Unfit(
      `${hostOf(name)} wants clients registered elsewhere (${hostOf(place)}). That is not followed.`,
    )
  const response = await fetch(place, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_name: 'Countersign',
      redirect_uris: [`http://127.0.0.1:${redirectPort}/`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: method,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    }),
  })
  const said = response.ok ? await parsed(response, Registered) : undefined
  if (!said)
    throw new Unfit(
      `${hostOf(name)} registered no client (HTTP ${response.status}). Register one there, and give --client-id.`,
    )
  const { client_secret: secret, token_endpoint_auth_method: shown = method } = said
  const isShownInHeader = shown === 'client_secret_basic'
  return { id: said.client_id, secret, hasSecret: secret !== undefined, isShownInHeader }
}

function found(
  { server, provider: name, redirectPort }: ClientWish,
  {
    resource,
    provider,
    scopes,
    client,
  }: {
    readonly resource: ProtectedResource
    readonly provider: ProviderMetadata
    readonly scopes: readonly string[]
    readonly client: KnownClient
  },
): Omit<ClientFound, 'kind'> {
  const saysItsName = provider.authorization_response_iss_parameter_supported === true
  const oauth = ServerOAuth.safeParse({
    clientId: client.id,
    provider: name,
    authorizationUrl: provider.authorization_endpoint,
    tokenUrl: provider.token_endpoint,
    ...(saysItsName ? { issuer: provider.issuer } : {}),
    deviceUrl: null,
    scopes: [...scopes],
    redirectHost: '127.0.0.1',
    redirectPort,
    clientSecret: client.hasSecret ? serverClientSecretName(server) : null,
    ...(client.hasSecret && client.isShownInHeader ? { secretBy: 'header' } : {}),
    resource: resource.resource,
    secret: serverGrantName(server),
  })
  if (!oauth.success)
    throw new Unfit(
      `${hostOf(name)} says something of itself that cannot be used: ${oauth.error.issues.map(({ path }) => path.join('.')).join(', ')}.`,
    )
  return { oauth: oauth.data, clientSecret: client.secret }
}

/** What stands at the first place that has anything. */
async function firstOf<Said>(
  places: readonly string[],
  shape: z.ZodType<Said>,
  fetch: Fetch,
): Promise<Said | undefined> {
  for (const place of places) {
    const response = await fetch(place, { method: 'GET', headers: { accept: 'application/json' } })
    if (response.status >= 500)
      throw new Unfit(`${hostOf(place)} has a problem (HTTP ${response.status}). Try again later.`)
    if (response.status !== 200) continue
    const said = await parsed(response, shape)
    if (said !== undefined) return said
  }
  return undefined
}

async function parsed<Said>(response: Response, shape: z.ZodType<Said>): Promise<Said | undefined> {
  try {
    return shape.safeParse(JSON.parse(await response.text())).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function hostOf(address: string): string {
  return URL.parse(address)?.host || 'an address that cannot be read'
}
