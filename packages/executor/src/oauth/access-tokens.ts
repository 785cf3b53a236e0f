/**
 * Owns the access tokens of accounts, in memory until they end. One account asks for one at a time, so a refresh token is
 * never shown twice; the one that comes in its place is in the vault before anything is done with the new token.
 */
import type { OAuthClient } from '@countersign/contract'
import type { Failure } from '@countersign/tools'
import type { SecretDestination } from '../egress/secret-source.ts'
import type { OAuthServer, Tokens } from './oauth-server.ts'

/** Refresh tokens and client secrets in the vault, as far as one permit names them. */
export interface GrantSource {
  /** As the vault is now; nothing unless it is kept for every one of these places. */
  current(name: string, places: readonly SecretDestination[]): Promise<string | undefined>
  /** Puts a value in the place of exactly this one, or takes it out; false where another stands there by now. */
  exchange(name: string, before: string, after: string | null): Promise<boolean>
  /** From now on it is masked in all that leaves this process. */
  mask(name: string, token: string): void
}

export interface WantedToken {
  /** The name of the refresh token. */
  readonly secret: string
  readonly client: OAuthClient
  /** Every place that the refresh token must be kept for. */
  readonly places: readonly SecretDestination[]
  readonly grants: GrantSource
  /** Whose sign-in it is, and the command that signs in again. */
  readonly owner: string
  readonly signIn: string
  /** The command that names another client. */
  readonly setUp: string
}

export interface AccessToken {
  readonly kind: 'token'
  readonly value: string
}

export interface AccessTokens {
  /** Another one than `refused`, which a server did not take. */
  token(wanted: WantedToken, refused: string | undefined, signal: AbortSignal): Promise<AccessToken | Failure>
}

interface HeldToken {
  readonly refreshToken: string
  readonly value: string
  readonly until: number
}

/** A token that ends on its way to the server is of no use. */
const earlierMs = 60_000
const patienceMs = 30_000

export function createAccessTokens(server: Pick<OAuthServer, 'refresh'>, now: () => Date): AccessTokens {
  const held = new Map<string, HeldToken>()
  const turns = new Map<string, Promise<unknown>>()

  async function found(wanted: WantedToken, refused: string | undefined): Promise<AccessToken | Failure> {
    const { secret, grants, places } = wanted
    const refreshToken = await grants.current(secret, places)
    if (refreshToken === undefined) return signedOut(wanted)
    const known = held.get(secret)
    const isGood =
      known?.refreshToken === refreshToken && known.value !== refused && now().getTime() < known.until
    if (known && isGood) return { kind: 'token', value: known.value }
    return refreshed(wanted, refreshToken, { server, held, now })
  }

  return {
    async token(wanted, refused, signal) {
      const before = turns.get(wanted.secret) ?? Promise.resolve()
      // Whoever waits may go; the work itself goes on, or a token that was given would be lost.
      const work = before.then(() => found(wanted, refused)).catch(problem)
      turns.set(wanted.secret, work)
      const ended = Promise.withResolvers<Failure>()
      const stop = (): void => ended.resolve(failure('It was cancelled.'))
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      try {
        return await Promise.race([work, ended.promise])
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

interface RefreshParts {
  readonly server: Pick<OAuthServer, 'refresh'>
  readonly held: Map<string, HeldToken>
  readonly now: () => Date
}

/** Shows the refresh token, and holds what came for it once its successor is stored. */
async function refreshed(
  wanted: WantedToken,
  refreshToken: string,
  parts: RefreshParts,
  mayRepeat = true,
): Promise<AccessToken | Failure> {
  const { secret, client, grants, places } = wanted
  const { server, held, now } = parts
  const clientSecret =
    client.clientSecret === null ? undefined : await grants.current(client.clientSecret, places)
  if (client.clientSecret !== null && clientSecret === undefined)
    return failure(
      `The client secret of ${wanted.owner} is not kept. Name the client again: \`${wanted.setUp}\`.`,
    )
  const asked = now().getTime()
  const reply = await server.refresh({ client, clientSecret }, refreshToken, AbortSignal.timeout(patienceMs))
  if (reply.kind === 'failed') return reply
  if (reply.kind === 'refused' && reply.code !== 'invalid_grant')
    return failure(
      `${hostOf(client)} refused the client of ${wanted.owner} (${reply.code}). Check its id and secret, and name it again: \`${wanted.setUp}\`.`,
    )
  const after = reply.kind === 'refused' ? null : successor(reply, refreshToken, wanted)
  const isOurs = after === undefined || (await grants.exchange(secret, refreshToken, after))
  if (!isOurs) {
    // Somebody signed in meanwhile, and what they got is newer.
    const newer = mayRepeat ? await grants.current(secret, places) : undefined
    return newer === undefined ? signedOut(wanted) : refreshed(wanted, newer, parts, false)
  }
  if (reply.kind === 'refused') {
    held.delete(secret)
    return failure(
      `The sign-in of ${wanted.owner} at ${hostOf(client)} no longer holds (invalid_grant). Sign in again: \`${wanted.signIn}\`.`,
    )
  }
  const { accessToken: value, lifeMs } = reply
  const until = asked + lifeMs - Math.min(earlierMs, lifeMs / 2)
  held.set(secret, { refreshToken: after ?? refreshToken, value, until })
  return { kind: 'token', value }
}

/** Masks what came, and gives the refresh token that stands in the place of the one that was shown, if there is one. */
function successor(
  { accessToken, refreshToken }: Tokens,
  shown: string,
  { secret, grants }: WantedToken,
): string | undefined {
  grants.mask(secret, accessToken)
  if (refreshToken === undefined || refreshToken === shown) return undefined
  grants.mask(secret, refreshToken)
  return refreshToken
}

function signedOut({ owner, signIn }: WantedToken): Failure {
  return failure(`${owner} is not signed in. Sign in: \`${signIn}\`.`)
}

function problem(error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error)
  return failure(`The sign-in could not be renewed: ${why.slice(0, 300)}`)
}

function hostOf({ tokenUrl }: OAuthClient): string {
  return URL.parse(tokenUrl)?.host ?? tokenUrl
}

function failure(reason: string): Failure {
  return { kind: 'failed', reason }
}
