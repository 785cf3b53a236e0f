/** Reads from the options of `countersign mail add` how an account signs in: by a known provider, or by addresses. */
import { OAuthAddress, OAuthClient, type StoreOAuthClient } from '@countersign/contract'
import type { OptionValues } from '../context.ts'
import { line } from '../output/safe-text.ts'
import { mailProviders } from './mail-providers.ts'

export interface OAuthWish extends Omit<StoreOAuthClient, 'clientSecret'> {
  readonly asksSecret: boolean
}

const onlyWithOAuth = [
  'clientId',
  'clientSecret',
  'authorizationUrl',
  'tokenUrl',
  'deviceUrl',
  'issuer',
  'scope',
  'device',
]

/** Nothing for a password; a sentence where something is missing or cannot be. */
export function oauthWishOf(options: OptionValues): OAuthWish | string | undefined {
  const text = (option: string) => (typeof options[option] === 'string' ? options[option] : '')
  const named = text('oauth')
  if (named === '')
    return onlyWithOAuth.some((option) => options[option] !== undefined && options[option] !== false)
      ? 'Say who lets you in: --oauth google, --oauth microsoft or --oauth other.'
      : undefined
  const provider = mailProviders[named]
  if (!provider && named !== 'other')
    return `${line(named)} is not known. Use google, microsoft, or other with --authorization-url and --token-url.`
  const clientId = text('clientId')
  if (!OAuthClient.shape.clientId.safeParse(clientId).success)
    return 'Give the client that you registered at the provider: --client-id 1234.apps.example.org.'
  const address = (option: string, usual: string | null | undefined) => text(option) || (usual ?? null)
  const authorizationUrl = address('authorizationUrl', provider?.oauth.authorizationUrl)
  const tokenUrl = address('tokenUrl', provider?.oauth.tokenUrl)
  const deviceUrl = address('deviceUrl', provider?.oauth.deviceUrl)
  if (tokenUrl === null || (authorizationUrl === null && deviceUrl === null))
    return 'Name where you sign in and where tokens come from: --authorization-url https://… --token-url https://….'
  const issuer = address('issuer', provider?.oauth.issuer)
  for (const [option, url] of Object.entries({ authorizationUrl, tokenUrl, deviceUrl, issuer }))
    if (url !== null && !OAuthAddress.safeParse(url).success)
      return `${line(url)} cannot be ${words[option]}: it must be an https address; without TLS only localhost.`
  if (options['device'] === true && deviceUrl === null)
    return 'This provider has no device codes for mail. Leave --device away.'
  const scopes =
    text('scope') === '' ? (provider?.oauth.scopes ?? []) : text('scope').split(/\s+/).filter(Boolean)
  const redirectHost = provider?.oauth.redirectHost ?? '127.0.0.1'
  const asksSecret = options['clientSecret'] === true || provider?.hasSecret === true
  const addresses = { authorizationUrl, tokenUrl, deviceUrl, ...(issuer === null ? {} : { issuer }) }
  return { clientId, ...addresses, scopes: [...scopes], redirectHost, asksSecret }
}

const words: Readonly<Record<string, string>> = {
  authorizationUrl: 'where you sign in',
  tokenUrl: 'where tokens come from',
  deviceUrl: 'where device codes come from',
  issuer: 'the name of the provider',
}
