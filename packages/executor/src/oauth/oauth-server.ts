/**
 * Owns what is said to whoever gives tokens: authorization code with PKCE, device code, and refresh, by oauth4webapi.
 * Keeps nothing. What the other side says is told by its code, never word for word, so that no token is repeated.
 */
import { type OAuthClient, oauthDestination } from '@countersign/contract'
import type { Failure } from '@countersign/tools'
import * as oauth from 'oauth4webapi'
import type { Egress } from '../egress/egress.ts'
import { egressFetch, OAuthUnreachable } from './egress-fetch.ts'

export interface Tokens {
  readonly kind: 'tokens'
  readonly accessToken: string
  /** Left out where the one that was shown still holds. */
  readonly refreshToken?: string
  readonly lifeMs: number
}

/** The other side understood and said no. */
export interface TokenRefusal {
  readonly kind: 'refused'
  /** As RFC 6749 names it, such as `invalid_grant`. */
  readonly code: string
}

export interface BrowserSignIn {
  /** To be opened in a browser. */
  readonly address: string
  readonly state: string
  readonly verifier: string
}

export interface DeviceSignIn {
  readonly kind: 'device'
  readonly deviceCode: string
  readonly userCode: string
  readonly address: string
  readonly intervalSeconds: number
  readonly lifeMs: number
}

/** Who asks: the client, and the value of its secret if it has one. */
export interface Asker {
  readonly client: OAuthClient
  readonly clientSecret: string | undefined
}

export interface OAuthServer {
  beginBrowser(client: OAuthClient, redirectUri: string): Promise<BrowserSignIn>
  /** Refuses an answer with another state than the one that was sent. */
  redeem(
    asker: Asker,
    answer: { readonly callback: string; readonly redirectUri: string } & Omit<BrowserSignIn, 'address'>,
    signal: AbortSignal,
  ): Promise<Tokens | TokenRefusal | Failure>
  beginDevice(asker: Asker, signal: AbortSignal): Promise<DeviceSignIn | TokenRefusal | Failure>
  pollDevice(
    asker: Asker,
    deviceCode: string,
    signal: AbortSignal,
  ): Promise<Tokens | TokenRefusal | Failure | { readonly kind: 'pending'; readonly slower: boolean }>
  refresh(asker: Asker, refreshToken: string, signal: AbortSignal): Promise<Tokens | TokenRefusal | Failure>
}

/** Of a token that does not say how long it holds. */
const usualLifeMs = 300_000
const longestToken = 32_768

export function createOAuthServer(egress: Egress): OAuthServer {
  return {
    beginBrowser: browserSignIn,
    redeem: (asker, { callback, redirectUri, state, verifier }, signal) =>
      answered(asker.client, async () => {
        const { server, known, shown, options, additionalParameters } = partsOf(asker, egress, signal)
        const parameters = ownAnswer(asker.client, { server, known }, callback, state)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          known,
          shown,
          parameters,
          redirectUri,
          verifier,
          { ...options, additionalParameters },
        )
        return tokensIn(await oauth.processAuthorizationCodeResponse(server, known, response))
      }),
    beginDevice: (asker, signal) =>
      answered(asker.client, async () => {
        const { server, known, shown, options } = partsOf(asker, egress, signal)
        const scope = asker.client.scopes.join(' ')
        const response = await oauth.deviceAuthorizationRequest(server, known, shown, { scope }, options)
        const said = await oauth.processDeviceAuthorizationResponse(server, known, response)
        return {
          kind: 'device' as const,
          deviceCode: said.device_code,
          userCode: said.user_code.slice(0, 100),
          address: said.verification_uri.slice(0, 500),
          intervalSeconds: Math.min(Math.max(Math.ceil(said.interval ?? 5), 1), 60),
          lifeMs: Math.min(said.expires_in, 1_800) * 1_000,
        }
      }),
    async pollDevice(asker, deviceCode, signal) {
      const reply = await answered(asker.client, async () => {
        const { server, known, shown, options } = partsOf(asker, egress, signal)
        const response = await oauth.deviceCodeGrantRequest(server, known, shown, deviceCode, options)
        return tokensIn(await oauth.processDeviceCodeResponse(server, known, response))
      })
      if (reply.kind !== 'refused') return reply
      if (reply.code === 'authorization_pending') return { kind: 'pending', slower: false }
      return reply.code === 'slow_down' ? { kind: 'pending', slower: true } : reply
    },
    refresh: (asker, refreshToken, signal) =>
      answered(asker.client, async () => {
        const { server, known, shown, options, additionalParameters } = partsOf(asker, egress, signal)
        const response = await oauth.refreshTokenGrantRequest(server, known, shown, refreshToken, {
          ...options,
          additionalParameters,
        })
        return tokensIn(await oauth.processRefreshTokenResponse(server, known, response))
      }),
  }
}

async function browserSignIn(
  { authorizationUrl, clientId, scopes, resource }: OAuthClient,
  redirectUri: string,
): Promise<BrowserSignIn> {
  if (authorizationUrl === null) throw new RangeError('There is no address for a browser.')
  const state = oauth.generateRandomState()
  const verifier = oauth.generateRandomCodeVerifier()
  // What the address says already stays: some providers want words of their own there.
  const address = new URL(authorizationUrl)
  const asked = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    ...(resource === undefined ? {} : { resource }),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  return { address: address.href, state, verifier }
}

function partsOf({ client, clientSecret }: Asker, egress: Egress, signal: AbortSignal) {
  const { clientId, tokenUrl, deviceUrl, secretBy, resource } = client
  const shownBy = secretBy === 'header' ? secretInHeader : oauth.ClientSecretPost
  return {
    server: {
      issuer: new URL(tokenUrl).origin,
      token_endpoint: tokenUrl,
      ...(deviceUrl === null ? {} : { device_authorization_endpoint: deviceUrl }),
    },
    known: { client_id: clientId },
    shown: clientSecret === undefined ? oauth.None() : shownBy(clientSecret),
    /** RFC 8707: so that what is given is of use at this place only. */
    additionalParameters: resource === undefined ? {} : { resource },
    options: {
      [oauth.customFetch]: egressFetch(egress, signal) as never,
      // Only this computer is reached without TLS; the shape of the client sees to that.
      [oauth.allowInsecureRequests]: true,
      signal,
    },
  }
}

/** As RFC 6749 has it. The library also writes `-` and the like as codes, which many providers do not read. */
function secretInHeader(secret: string): oauth.ClientAuth {
  const written = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  return (_server, { client_id: id }, _body, headers) =>
    headers.set(
      'authorization',
      `Basic ${Buffer.from(`${written(id)}:${written(secret)}`).toString('base64')}`,
    )
}

async function answered<Reply>(
  { tokenUrl }: OAuthClient,
  ask: () => Promise<Reply>,
): Promise<Reply | TokenRefusal | Failure> {
  try {
    return await ask()
  } catch (error) {
    const code = refusalIn(error)
    if (code !== undefined) return { kind: 'refused', code }
    const host = oauthDestination(tokenUrl)?.host ?? tokenUrl
    const reason =
      error instanceof OAuthUnreachable ? error.message : `${host} gave no answer that OAuth2 knows.`
    return { kind: 'failed', reason }
  }
}

function refusalIn(error: unknown): string | undefined {
  if (error instanceof AnotherSignIn) return 'state_mismatch'
  if (error instanceof AnotherProvider) return 'issuer_mismatch'
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return /^[a-z_]{1,60}$/.test(error.error) ? error.error : 'an error without a name'
  return undefined
}

/** The browser came back with something that was not asked for. */
class AnotherSignIn extends Error {}

/** The page of the provider led the browser on to another one, whose code would have been shown to the first. */
class AnotherProvider extends Error {}

function ownAnswer(
  client: OAuthClient,
  { server, known }: { readonly server: oauth.AuthorizationServer; readonly known: oauth.Client },
  callback: string,
  state: string,
): URLSearchParams {
  const said = new URLSearchParams(callback)
  if (!isOfProvider(client, said.getAll('iss'))) throw new AnotherProvider()
  said.delete('iss')
  try {
    const parameters = oauth.validateAuthResponse(server, known, said, state)
    if (!parameters.has('code')) throw new AnotherSignIn()
    return parameters
  } catch (error) {
    throw error instanceof oauth.AuthorizationResponseError ? error : new AnotherSignIn()
  }
}

/** RFC 9207. Not every provider says its name; one whose name the operator gave must. */
function isOfProvider({ issuer, authorizationUrl }: OAuthClient, said: readonly string[]): boolean {
  if (issuer !== undefined) return said.length === 1 && said[0] === issuer
  const { origin } = new URL(authorizationUrl ?? '')
  return said.every((each) => URL.parse(each)?.origin === origin)
}

function tokensIn(reply: oauth.TokenEndpointResponse): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = reply
  if (reply.token_type !== 'bearer') throw new TypeError('a token of another kind')
  if (![accessToken, refreshToken ?? 'no-token'].every(isToken)) throw new TypeError('not a token')
  return {
    kind: 'tokens',
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    lifeMs: seconds === undefined ? usualLifeMs : Math.min(seconds, 86_400) * 1_000,
  }
}

/** One word, and long enough to be told from other text. */
function isToken(text: string): boolean {
  return text.length >= 8 && text.length <= longestToken && /^[\x21-\x7e]+$/.test(text)
}
