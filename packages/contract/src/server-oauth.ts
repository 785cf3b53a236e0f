/**
 * Owns how the operator signs in to a server at an address: what was found about it, as it was accepted with the server.
 * Refuses tokens that are for another server. Holds no token.
 */
import { z } from 'zod'
import { OAuthAddress, OAuthClient, oauthDestination } from './api-oauth.ts'
import { SecretName, SecretValue } from './api-secrets.ts'
import { isWrittenAsRead, writtenOtherwise } from './written-address.ts'

/** Ports that any program may listen on. */
const LoopbackPort = z.int().min(1024).max(65_535)

const FoundAddress = OAuthAddress.refine(isWrittenAsRead, writtenOtherwise)

export const ServerOAuth = OAuthClient.extend({
  /** Whoever lets in, by the name that it gives itself. */
  provider: FoundAddress,
  authorizationUrl: FoundAddress,
  tokenUrl: FoundAddress,
  deviceUrl: z.null(),
  resource: FoundAddress,
  /** Where the browser is led back to; null where the provider takes any port of this computer. */
  redirectPort: LoopbackPort.nullable(),
  /** The secret in the vault that holds the refresh token. */
  secret: SecretName,
}).refine(
  ({ issuer, provider, authorizationUrl }) =>
    issuer !== undefined || URL.parse(authorizationUrl)?.origin === URL.parse(provider)?.origin,
  {
    path: ['authorizationUrl'],
    // The code of whoever stands there would be shown to this provider.
    message: 'the browser is led to another provider, and the answer does not have to say which one gave it',
  },
)
export type ServerOAuth = z.infer<typeof ServerOAuth>

/** Of the refresh token. */
export function serverGrantName(server: string): string {
  return `server-oauth.${server}`
}

export function serverClientSecretName(server: string): string {
  return `server-client.${server}`
}

export function isServerOAuthSecret(name: string): boolean {
  return /^server-(?:oauth|client)\./.test(name)
}

/** A refresh token has the name of its server, so that nobody can have that of another one used. */
export function isNamedForServer(server: string, { secret, clientSecret }: ServerOAuth): boolean {
  return (
    secret === serverGrantName(server) &&
    (clientSecret === null || clientSecret === serverClientSecretName(server))
  )
}

export function serverSignInCommand(server: string): string {
  return `countersign extension sign-in ${server}`
}

/** The tools that a sign-in is for. */
export const signedInServerTools = ['call_server_tool', 'look_at_server'] as const

/** Whether tokens for this resource are for the server at this address: the same place, and a path above it or its own. */
export function isForAddress(resource: string, address: string): boolean {
  const [wide, narrow] = [URL.parse(resource), URL.parse(address)]
  if (!wide || !narrow || wide.origin !== narrow.origin || oauthDestination(address) === undefined)
    return false
  const above = wide.pathname.endsWith('/') ? wide.pathname : `${wide.pathname}/`
  return wide.search === '' || wide.search === narrow.search ? `${narrow.pathname}/`.startsWith(above) : false
}

/** What is asked about signing in: first who lets in, then for a client there. */
export const FindServerSignIn = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('provider') }),
  z.strictObject({
    step: z.literal('client'),
    /** As the operator accepted to ask there. */
    provider: FoundAddress,
    redirectPort: LoopbackPort,
    /** Left out, what the server asks for. */
    scopes: OAuthClient.shape.scopes.optional(),
    /** One that the operator registered. Left out, one is registered now. */
    clientId: OAuthClient.shape.clientId.optional(),
    clientSecret: SecretValue.optional(),
  }),
])
export type FindServerSignIn = z.infer<typeof FindServerSignIn>

export const mostProviders = 10

export const ServerSignInFound = z.discriminatedUnion('step', [
  z.strictObject({
    step: z.literal('provider'),
    /** As the server says. Nothing was asked there. */
    providers: z.array(FoundAddress).min(1).max(mostProviders),
  }),
  z.strictObject({ step: z.literal('client'), oauth: ServerOAuth }),
])
export type ServerSignInFound = z.infer<typeof ServerSignInFound>

export const ServerSignedOut = z.strictObject({
  name: z.string(),
  /** False where nobody was signed in. */
  signedOut: z.boolean(),
  ledger: z.int(),
})
export type ServerSignedOut = z.infer<typeof ServerSignedOut>
