/** Owns the words for a sign-in to a server that came to nothing, and the next step. */
import { CountersignError, serverSignInCommand } from '@countersign/contract'
import type { OAuthServer } from '@countersign/executor'

type Reply = Exclude<Awaited<ReturnType<OAuthServer['redeem']>>, { readonly kind: 'tokens' }>

export function refusedSignIn(name: string, reply: Reply): CountersignError {
  const again = `Begin again: \`${serverSignInCommand(name)}\`.`
  if (reply.kind === 'failed') return new CountersignError('conflict', reply.reason, { next: again })
  const [words, next] = refusals[reply.code] ?? [`The sign-in was refused (${reply.code}).`, again]
  return new CountersignError('conflict', words, { next: next.replace('NAME', name) })
}

const anew = 'Name the client again: `countersign extension sign-in NAME --anew`.'

const refusals: Readonly<Record<string, readonly [string, string]>> = {
  access_denied: ['You denied the access, or the provider did.', 'Sign in again, and allow it.'],
  state_mismatch: [
    'The answer belongs to another sign-in. Nothing was stored.',
    'Begin again, and use the newest page only.',
  ],
  issuer_mismatch: [
    'The answer comes from another provider than the one that you accepted. Nothing was stored.',
    'Allow access only on pages of the provider that the card showed, and begin again.',
  ],
  invalid_client: ['The provider does not know the client, or wants its secret.', anew],
  unauthorized_client: ['The client is not registered for this way to sign in.', anew],
  invalid_target: ['The provider gives no tokens for this server.', 'Ask whoever runs the server.'],
  invalid_scope: [
    'The provider does not know one of the scopes.',
    'Name others: `countersign extension sign-in NAME --anew --scope "SCOPES"`.',
  ],
}
