/** Owns what opens the servers of an e-mail account: a password, or a token that is asked for when it is needed. */
import type { MailAccount } from '@countersign/contract'
import type { Failure } from '@countersign/tools'
import type { AccessToken } from '../oauth/access-tokens.ts'

export type MailLogin = PasswordLogin | TokenLogin

interface PasswordLogin {
  readonly account: MailAccount
  readonly password: string
}

interface TokenLogin {
  readonly account: MailAccount
  /** Another one than `refused`, which a server did not take. */
  readonly token: (refused: string | undefined, signal: AbortSignal) => Promise<AccessToken | Failure>
}

export type MailCredential =
  | { readonly kind: 'password'; readonly value: string }
  | { readonly kind: 'token'; readonly value: string }

/**
 * Tries with what opens the account. A token that the server does not take is asked for once more: it may have ended
 * before its time.
 */
export async function withCredential<Result>(
  login: MailLogin,
  signal: AbortSignal,
  attempt: (credential: MailCredential) => Promise<Result | CredentialRefused>,
): Promise<Result | Failure> {
  if ('password' in login) return settled(await attempt({ kind: 'password', value: login.password }))
  const first = await login.token(undefined, signal)
  if (first.kind === 'failed') return first
  const outcome = await attempt(first)
  if (!isRefused(outcome)) return outcome
  const second = await login.token(first.value, signal)
  if (second.kind === 'failed') return second
  return settled(await attempt(second))
}

/** The server knows nobody who signs in like this, and nothing was done. */
export interface CredentialRefused {
  readonly kind: 'credential-refused'
  readonly reason: string
}

function settled<Result>(outcome: Result | CredentialRefused): Result | Failure {
  return isRefused(outcome) ? { kind: 'failed', reason: outcome.reason } : outcome
}

function isRefused(outcome: unknown): outcome is CredentialRefused {
  return (
    typeof outcome === 'object' &&
    outcome !== null &&
    'kind' in outcome &&
    outcome.kind === 'credential-refused'
  )
}

/** What to do where a server does not take it. */
export function refusedWords({ address, name, oauth }: MailAccount, host: string): string {
  return oauth
    ? `${host} did not accept the sign-in of ${address}. Sign in again: \`countersign mail sign-in ${name}\`; see that the scopes cover IMAP and SMTP.`
    : `${host} did not accept the password of ${address}. Set it again with \`countersign mail add ${name}\`; many providers want an app password.`
}
