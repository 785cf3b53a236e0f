/**
 * Owns signing in to a server at an address by OAuth2, from finding out who lets in to the refresh token in the vault. What
 * was begun is kept in memory for ten minutes and ends with the first answer. A browser is led only to what was accepted
 * with the server. No route gives a token out.
 */
import {
  type BeginSignIn,
  CountersignError,
  type Destination,
  type EndSignIn,
  type FindServerSignIn,
  type InstalledExtensions,
  type InstalledServer,
  OAuthClient,
  type OperatorId,
  oauthDestination,
  type ServerOAuth,
  type ServerSignedOut,
  type ServerSignInFound,
  type SignInBegun,
  type SignInEnded,
  serverClientSecretName,
  serverSignInCommand,
  signedInServerTools,
} from '@countersign/contract'
import type { BrowserSignIn, OAuthServer, ServerOAuthFinder, Tokens } from '@countersign/executor'
import type { EntryDraft } from '@countersign/kernel'
import { type AccountSecrets, isKept } from '../accounts/account-store.ts'
import type { ActingOperator } from '../server/secrets.ts'
import { refusedSignIn } from './refused-sign-in.ts'

export interface ServerSignInParts {
  /** As the executor last said. */
  readonly extensions: () => InstalledExtensions
  readonly secrets: AccountSecrets
  /** The value of a client's secret. */
  readonly secretValue: (name: string) => Promise<string | undefined>
  readonly server: Pick<OAuthServer, 'beginBrowser' | 'redeem'>
  readonly finder: ServerOAuthFinder
  readonly act: (operator: OperatorId, entry: EntryDraft) => Promise<number>
  readonly clock: () => Date
}

export interface ServerSignIns {
  find(by: ActingOperator, name: string, wish: FindServerSignIn): Promise<ServerSignInFound>
  begin(by: ActingOperator, name: string, wish: BeginSignIn): Promise<SignInBegun>
  end(by: ActingOperator, name: string, answer: EndSignIn): Promise<SignInEnded>
  out(by: ActingOperator, name: string): Promise<ServerSignedOut>
}

interface Begun extends BrowserSignIn {
  readonly launchHash: string
  readonly redirectUri: string
  readonly until: number
}

const browserMs = 10 * 60_000
const patienceMs = 30_000

export function createServerSignIns(parts: ServerSignInParts): ServerSignIns {
  const begun = new Map<string, Begun>()
  const now = () => parts.clock().getTime()
  const keyOf = (operator: OperatorId, name: string) => `${operator} ${name}`
  return {
    find: (by, name, wish) => find(by, serverAt(name, parts), wish, parts),
    async begin(by, name, wish) {
      const { oauth, launchHash } = signedInServer(name, parts)
      if (wish.by !== 'browser')
        throw new CountersignError('usage', 'One signs in to a server with a browser.', {
          next: `Run \`${serverSignInCommand(name)}\`.`,
        })
      checkRedirect(oauth, wish.redirectUri)
      const sign = await parts.server.beginBrowser(clientOf(oauth), wish.redirectUri)
      const until = now() + browserMs
      begun.set(keyOf(by.operator, name), { ...sign, launchHash, redirectUri: wish.redirectUri, until })
      return { by: 'browser', address: sign.address, expiresAt: new Date(until).toISOString() }
    },
    async end(by, name, { callback }) {
      const known = begun.get(keyOf(by.operator, name))
      begun.delete(keyOf(by.operator, name))
      const server = signedInServer(name, parts)
      const next = `Begin again: \`${serverSignInCommand(name)}\`.`
      if (!known || known.until < now() || callback === null)
        throw new CountersignError('expired', `No sign-in to ${name} is under way.`, { next })
      const isSame = () => signedInServer(name, parts).launchHash === known.launchHash
      const changed = () =>
        new CountersignError('conflict', `The server ${name} was changed meanwhile.`, { next })
      if (!isSame()) throw changed()
      const reply = await parts.server.redeem(
        await askerOf(server.oauth, parts),
        { ...known, callback },
        AbortSignal.timeout(patienceMs),
      )
      if (reply.kind !== 'tokens') throw refusedSignIn(name, reply)
      // The provider may take its time, and what is kept for a server that is gone is kept for whatever comes after it.
      if (!isSame()) throw changed()
      return { kind: 'signed-in', ledger: await keep(by, server, reply, parts) }
    },
    async out(by, name) {
      const { oauth } = signedInServer(name, parts)
      begun.delete(keyOf(by.operator, name))
      const signedOut = await isKept(oauth.secret, parts.secrets)
      if (signedOut) await parts.secrets.remove(by, oauth.secret)
      const data = { name, provider: oauth.provider }
      const ledger = await parts.act(by.operator, {
        type: 'extension.signed_out',
        actor: by.actor,
        data,
      })
      return { name, signedOut, ledger }
    },
  }
}

interface HttpServer {
  readonly name: string
  readonly url: string
  readonly launchHash: string
}

async function find(
  by: ActingOperator,
  { name, url }: HttpServer,
  wish: FindServerSignIn,
  { finder, secrets }: ServerSignInParts,
): Promise<ServerSignInFound> {
  const patience = AbortSignal.timeout(patienceMs)
  const next = `See how it is reached: \`countersign extension show ${name}\`.`
  if (wish.step === 'provider') {
    const found = await finder.providers(url, patience)
    if (found.kind === 'failed') throw new CountersignError('conflict', found.reason, { next })
    return { step: 'provider', providers: [...found.providers] }
  }
  const { provider, redirectPort, scopes, clientId, clientSecret } = wish
  const hasSecret = clientSecret !== undefined
  const found = await finder.client(
    url,
    { server: name, provider, redirectPort, scopes, clientId, hasSecret },
    patience,
  )
  if (found.kind === 'failed') throw new CountersignError('conflict', found.reason, { next })
  const { oauth } = found
  const value = clientSecret ?? found.clientSecret
  if (value !== undefined)
    await secrets.store(by, serverClientSecretName(name), {
      value,
      description: `Secret of the client at ${new URL(provider).host}, for the server ${name}`,
      destinations: placesOf(url, oauth),
      tools: [...signedInServerTools],
    })
  return { step: 'client', oauth }
}

async function keep(
  by: ActingOperator,
  { name, url, oauth }: SignedInServer,
  { refreshToken }: Tokens,
  { secrets, act }: ServerSignInParts,
): Promise<number> {
  if (refreshToken === undefined)
    throw new CountersignError(
      'conflict',
      `${new URL(oauth.provider).host} gave no refresh token, so the sign-in would end by itself.`,
      {
        next: `Ask for offline access: \`${serverSignInCommand(name)} --anew --scope "… offline_access"\`. Where there is none, keep a token of yours as a secret, and name it with --secret.`,
      },
    )
  await secrets.store(by, oauth.secret, {
    value: refreshToken,
    description: `Sign-in to the server ${name}`,
    destinations: placesOf(url, oauth),
    tools: [...signedInServerTools],
  })
  const data = { name, provider: oauth.provider }
  return act(by.operator, { type: 'extension.signed_in', actor: by.actor, data })
}

/** As the library knows a client. */
function clientOf(oauth: ServerOAuth): OAuthClient {
  const { provider: _, redirectPort: __, secret: ___, ...client } = oauth
  return OAuthClient.parse(client)
}

async function askerOf(oauth: ServerOAuth, { secretValue }: ServerSignInParts) {
  const { clientSecret } = oauth
  return {
    client: clientOf(oauth),
    clientSecret: clientSecret === null ? undefined : await secretValue(clientSecret),
  }
}

function checkRedirect({ redirectHost, redirectPort }: ServerOAuth, redirectUri: string): void {
  const { hostname, port } = new URL(redirectUri)
  if (hostname === redirectHost && (redirectPort === null || port === String(redirectPort))) return
  throw new CountersignError('usage', `The redirect address must be at ${redirectHost}:${redirectPort}.`)
}

/** Where a token may go: to the server, and to whoever gives tokens. */
function placesOf(url: string, { tokenUrl }: ServerOAuth): Destination[] {
  const places = [url, tokenUrl].flatMap((each) => oauthDestination(each) ?? [])
  return places.filter(
    (place, index) => places.findIndex((each) => JSON.stringify(each) === JSON.stringify(place)) === index,
  )
}

type SignedInServer = HttpServer & { readonly oauth: ServerOAuth }

function serverAt(name: string, { extensions }: Pick<ServerSignInParts, 'extensions'>): HttpServer {
  const { launch, launchHash } = serverNamed(name, extensions())
  if (launch.kind === 'http') return { name, url: launch.url, launchHash }
  throw new CountersignError('usage', `The server ${name} is a program here, so nobody signs in to it.`, {
    next: 'Give it what it needs as a secret: `countersign extension update --help`.',
  })
}

function signedInServer(name: string, { extensions }: Pick<ServerSignInParts, 'extensions'>): SignedInServer {
  const server = serverAt(name, { extensions })
  const { launch } = serverNamed(name, extensions())
  if (launch.kind === 'http' && launch.oauth) return { ...server, oauth: launch.oauth }
  throw new CountersignError('usage', `How to sign in to ${name} was not accepted yet.`, {
    next: `Run \`${serverSignInCommand(name)}\`.`,
  })
}

function serverNamed(name: string, { servers }: InstalledExtensions): InstalledServer {
  const server = servers.find((each) => each.name === name)
  if (server) return server
  throw new CountersignError('not_found', `There is no server ${name}.`, {
    next: 'List them with `countersign extension list`.',
  })
}
