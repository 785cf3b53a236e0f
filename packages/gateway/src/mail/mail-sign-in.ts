/**
 * Owns signing in to an e-mail account by OAuth2, from the address that a browser opens to the refresh token in the
 * vault. What was begun is kept in memory for ten minutes and ends with the first answer. No route gives a token out.
 */
import {
  type BeginSignIn,
  CountersignError,
  type EndSignIn,
  type MailAccount,
  mailDestinations,
  mailSignInCommand,
  mailTools,
  type OAuthClient,
  type OperatorId,
  type SignInBegun,
  type SignInEnded,
} from '@countersign/contract'
import type { Asker, BrowserSignIn, DeviceSignIn, OAuthServer, Tokens } from '@countersign/executor'
import type { RecordTransactions } from '@countersign/kernel'
import type { AccountSecrets } from '../accounts/account-store.ts'
import type { ActingOperator } from '../server/secrets.ts'
import { accountsIn } from './account-records.ts'

export interface MailSignInParts {
  readonly records: Pick<RecordTransactions, 'read' | 'change'>
  readonly secrets: AccountSecrets
  /** The value of a client's secret. */
  readonly secretValue: (name: string) => Promise<string | undefined>
  readonly server: OAuthServer
  readonly clock: () => Date
}

export interface MailSignIns {
  begin(by: ActingOperator, name: string, wish: BeginSignIn): Promise<SignInBegun>
  end(by: ActingOperator, name: string, answer: EndSignIn): Promise<SignInEnded>
}

type Begun = { readonly client: OAuthClient; readonly until: number } & (
  | ({ readonly by: 'browser'; readonly redirectUri: string } & BrowserSignIn)
  | { readonly by: 'device'; readonly device: DeviceSignIn; readonly intervalSeconds: number }
)

type Account = MailAccount & { readonly oauth: OAuthClient }

const browserMs = 10 * 60_000
const patienceMs = 30_000

export function createMailSignIns(parts: MailSignInParts): MailSignIns {
  const open: OpenParts = { ...parts, begun: new Map(), now: () => parts.clock().getTime() }
  return {
    begin: (by, name, wish) => begin(by, name, wish, open),
    end: (by, name, answer) => end(by, name, answer, open),
  }
}

interface OpenParts extends MailSignInParts {
  /** By operator and account. */
  readonly begun: Map<string, Begun>
  readonly now: () => number
}

async function begin(
  by: ActingOperator,
  name: string,
  wish: BeginSignIn,
  { begun, now, ...parts }: OpenParts,
): Promise<SignInBegun> {
  const account = await accountOf(by.operator, name, parts)
  const { oauth: client } = account
  const key = keyOf(by.operator, name)
  if (wish.by === 'browser') {
    if (client.authorizationUrl === null) throw without(name, 'browser')
    if (new URL(wish.redirectUri).hostname !== client.redirectHost)
      throw new CountersignError('usage', `The redirect address must be at ${client.redirectHost}.`)
    const sign = await parts.server.beginBrowser(client, wish.redirectUri)
    const until = now() + browserMs
    begun.set(key, { by: 'browser', client, until, redirectUri: wish.redirectUri, ...sign })
    return { by: 'browser', address: sign.address, expiresAt: new Date(until).toISOString() }
  }
  if (client.deviceUrl === null) throw without(name, 'device')
  const device = await parts.server.beginDevice(await askerOf(client, parts), AbortSignal.timeout(patienceMs))
  if (device.kind !== 'device') throw problemOf(account, device)
  const { address, userCode, intervalSeconds } = device
  const until = now() + device.lifeMs
  begun.set(key, { by: 'device', client, until, device, intervalSeconds })
  return { by: 'device', address, userCode, intervalSeconds, expiresAt: new Date(until).toISOString() }
}

async function end(
  by: ActingOperator,
  name: string,
  { callback }: EndSignIn,
  { begun, now, ...parts }: OpenParts,
): Promise<SignInEnded> {
  const key = keyOf(by.operator, name)
  const known = begun.get(key)
  begun.delete(key)
  const account = await accountOf(by.operator, name, parts)
  if (!known || known.until < now() || (known.by === 'browser') !== (callback !== null))
    throw new CountersignError('expired', `No sign-in to ${name} is under way.`, {
      next: `Begin again: \`${mailSignInCommand(name)}\`.`,
    })
  if (JSON.stringify(known.client) !== JSON.stringify(account.oauth))
    throw new CountersignError('conflict', `The account ${name} was changed meanwhile.`, {
      next: `Begin again: \`${mailSignInCommand(name)}\`.`,
    })
  const asker = await askerOf(known.client, parts)
  const patience = AbortSignal.timeout(patienceMs)
  const reply =
    known.by === 'browser'
      ? await parts.server.redeem(asker, { ...known, callback: callback ?? '' }, patience)
      : await parts.server.pollDevice(asker, known.device.deviceCode, patience)
  if (reply.kind === 'pending' && known.by === 'device') {
    // RFC 8628: five seconds more, from then on.
    const intervalSeconds = known.intervalSeconds + (reply.slower ? 5 : 0)
    begun.set(key, { ...known, intervalSeconds })
    return { kind: 'pending', intervalSeconds }
  }
  if (reply.kind !== 'tokens') throw problemOf(account, reply)
  return { kind: 'signed-in', ledger: await keep(by, account, reply, known.by, parts) }
}

async function keep(
  by: ActingOperator,
  account: Account,
  { refreshToken }: Tokens,
  way: Begun['by'],
  parts: MailSignInParts,
): Promise<number> {
  const { name, address, secret } = account
  if (refreshToken === undefined)
    throw new CountersignError(
      'conflict',
      'The provider gave no refresh token, so the sign-in would end within the hour.',
      {
        next: 'Ask for offline access: with most providers that is the scope offline_access. Then sign in again.',
      },
    )
  await parts.secrets.store(by, secret, {
    value: refreshToken,
    description: `Sign-in of ${address}`,
    destinations: mailDestinations(account),
    tools: [...mailTools],
  })
  const { ledger } = await parts.records.change(by.operator, async (unit) => {
    unit.record({ type: 'mail.account_signed_in', actor: by.actor, data: { name, address, by: way } })
  })
  return ledger
}

const keyOf = (operator: OperatorId, name: string) => `${operator} ${name}`

async function accountOf(operator: OperatorId, name: string, { records }: MailSignInParts): Promise<Account> {
  const known = await records.read(operator, ({ records: rows }) => accountsIn(rows))
  const account = known.find((each) => each.name === name)
  if (!account)
    throw new CountersignError('not_found', `There is no e-mail account ${name}.`, {
      next: 'List them with `countersign mail list`.',
    })
  const { oauth } = account
  if (!oauth)
    throw new CountersignError('usage', `The account ${name} has a password.`, {
      next: `Change it with \`countersign mail add ${name}\`; \`--oauth\` makes it an account that signs in.`,
    })
  return { ...account, oauth }
}

async function askerOf(client: OAuthClient, { secretValue }: MailSignInParts): Promise<Asker> {
  const { clientSecret } = client
  return { client, clientSecret: clientSecret === null ? undefined : await secretValue(clientSecret) }
}

function without(name: string, way: Begun['by']): CountersignError {
  const [has, other] = way === 'browser' ? ['browser', 'with --device'] : ['device code', 'without --device']
  return new CountersignError('usage', `The provider of ${name} has no sign-in by ${has}.`, {
    next: `Sign in ${other}.`,
  })
}

function problemOf(
  { name }: Account,
  reply: Exclude<Awaited<ReturnType<OAuthServer['pollDevice']>>, Tokens> | DeviceSignIn,
): CountersignError {
  const again = `Begin again: \`${mailSignInCommand(name)}\`.`
  if (reply.kind === 'failed') return new CountersignError('conflict', reply.reason, { next: again })
  const code = reply.kind === 'refused' ? reply.code : reply.kind
  const [words, next] = refusals[code] ?? [`The provider refused the sign-in (${code}).`, again]
  return new CountersignError('conflict', words, { next })
}

const refusals: Readonly<Record<string, readonly [string, string]>> = {
  access_denied: ['You denied the access, or the provider did.', 'Sign in again, and allow it.'],
  state_mismatch: [
    'The answer belongs to another sign-in. Nothing was stored.',
    'Begin again, and use the newest page only.',
  ],
  issuer_mismatch: [
    'The answer comes from another provider than the one that you signed in to. Nothing was stored.',
    'Allow access only on pages of your provider. If it calls itself by another address, add the account with --issuer.',
  ],
  expired_token: ['The code was not typed in time.', 'Begin again.'],
  invalid_client: [
    'The provider does not know the client, or wants its secret.',
    'Check the client id and secret, and run `countersign mail add` again.',
  ],
  unauthorized_client: [
    'The client is not registered for this way to sign in.',
    'Register it as a desktop or native application, and try again.',
  ],
  invalid_scope: [
    'The provider does not know one of the scopes.',
    'Check --scope, and add the account again.',
  ],
  redirect_uri_mismatch: [
    'The provider does not know the redirect address.',
    'Register http://127.0.0.1 or http://localhost as a redirect address of a desktop application.',
  ],
}
