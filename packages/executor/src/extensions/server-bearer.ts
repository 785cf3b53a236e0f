/**
 * Owns what a server at an address is shown to know who asks: a secret as it is kept, or an access token that comes of a
 * sign-in. Refuses a secret or a sign-in that is not kept for every place that the server was let in with.
 */
import { type InstalledServer, type ServerOAuth, serverSignInCommand } from '@countersign/contract'
import { type Failure, launchPlaces } from '@countersign/tools'
import type { EgressResult } from '../egress/egress.ts'
import type { SecretSource } from '../egress/secret-source.ts'
import type { AccessToken, AccessTokens, GrantSource } from '../oauth/access-tokens.ts'

/** What one permit lets a server have. */
export interface ServerSecrets {
  readonly secrets: SecretSource
  /** Left out where nobody signs in. */
  readonly grants?: GrantSource | undefined
}

export interface ServerBearer {
  /** Another one than `refused`, if there is another. */
  token(refused: string | undefined, signal: AbortSignal): Promise<AccessToken | Failure>
  /** What to do when it is shown, and not taken; nothing where it has no words for that. */
  unwelcome(response: Response): string | undefined
}

type Response = Extract<EgressResult, { kind: 'response' }>

export function keptBearer(value: string): ServerBearer {
  return {
    token: async () => ({ kind: 'token', value }),
    unwelcome: ({ status }) =>
      `It does not take the secret that is sent there (HTTP ${status}). Keep another one with \`countersign secret set\`.`,
  }
}

export interface SignedInParts {
  readonly server: Pick<InstalledServer, 'name' | 'launch'>
  readonly oauth: ServerOAuth
  readonly tokens: AccessTokens | undefined
  /** Of the newest call: a conversation lasts longer than a permit. */
  readonly grants: () => GrantSource | undefined
}

export function signedInBearer({ server, oauth, tokens, grants }: SignedInParts): ServerBearer {
  const { name, launch } = server
  const signIn = serverSignInCommand(name)
  return {
    async token(refused, signal) {
      const source = grants()
      if (!tokens || !source) return { kind: 'failed', reason: 'Nobody signs in from here.' }
      const wanted = {
        secret: oauth.secret,
        client: oauth,
        places: launchPlaces(launch),
        grants: source,
        owner: `the server ${name}`,
        signIn,
        setUp: `${signIn} --anew`,
      }
      return tokens.token(wanted, refused, signal)
    },
    unwelcome({ status, headers }) {
      const said = [headers['www-authenticate'] ?? []].flat().join(', ')
      if (!/\berror="?insufficient_scope\b/i.test(said))
        return `It does not take the sign-in (HTTP ${status}). Sign in again: \`${signIn}\`.`
      const scope = /\bscope="([\x21\x23-\x5b\x5d-\x7e ]{1,300})"/i.exec(said)?.[1]
      const wanted = scope === undefined ? '' : ` It asks for “${scope}”.`
      return `The sign-in does not allow this.${wanted} If you want to allow more, sign in again: \`${signIn} --scope "SCOPES"\`.`
    },
  }
}
