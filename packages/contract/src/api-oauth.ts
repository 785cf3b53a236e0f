/**
 * Owns the shape of a sign-in by OAuth2: the client that the operator registered, and the addresses of whoever lets it
 * in. Refuses an address without TLS that is not this computer. Holds no token.
 */
import { z } from 'zod'
import { Destination, SecretName, SecretValue } from './api-secrets.ts'
import { isThisComputer } from './this-computer.ts'

export const OAuthAddress = z
  .string()
  .max(500)
  .refine((text) => oauthDestination(text) !== undefined, {
    message: 'must be an address such as https://login.example.org/token; without TLS only localhost',
  })

/** A loopback address names one of these; some providers know only the second. */
export const RedirectHost = z.enum(['127.0.0.1', 'localhost'])

export const OAuthClient = z.strictObject({
  clientId: z.string().regex(/^[\x21-\x7e]{1,300}$/, 'one word, as the provider shows it'),
  /** Where a browser goes; null where only a device code works. */
  authorizationUrl: OAuthAddress.nullable(),
  tokenUrl: OAuthAddress,
  /** By what name the provider's answers must call it. Left out, whatever it says must be of the authorization address. */
  issuer: OAuthAddress.exactOptional(),
  /** Where a device code comes from; null where the provider has none. */
  deviceUrl: OAuthAddress.nullable(),
  scopes: z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,300}$/, 'a scope')).max(20),
  redirectHost: RedirectHost,
  /** The secret in the vault that the client shows; null for a client without one. */
  clientSecret: SecretName.nullable(),
  /** How it is shown: in the form, unless this says otherwise. */
  secretBy: z.literal('header').exactOptional(),
  /** What the tokens are for (RFC 8707). Left out, the provider decides. */
  resource: OAuthAddress.exactOptional(),
})
export type OAuthClient = z.infer<typeof OAuthClient>

export const StoreOAuthClient = OAuthClient.omit({
  clientSecret: true,
  secretBy: true,
  resource: true,
}).extend({
  /** Left out for a client without one. */
  clientSecret: SecretValue.optional(),
})
export type StoreOAuthClient = z.infer<typeof StoreOAuthClient>

/** How somebody signs in: with a browser that is led back to a loopback address, or with a code typed anywhere. */
export const BeginSignIn = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('browser'),
    redirectUri: z
      .string()
      .regex(/^http:\/\/(?:127\.0\.0\.1|localhost):\d{2,5}\/$/, 'a loopback address with its port'),
  }),
  z.strictObject({ by: z.literal('device') }),
])
export type BeginSignIn = z.infer<typeof BeginSignIn>

export const SignInBegun = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('browser'), address: z.string(), expiresAt: z.string() }),
  z.strictObject({
    by: z.literal('device'),
    address: z.string(),
    userCode: z.string(),
    intervalSeconds: z.int(),
    expiresAt: z.string(),
  }),
])
export type SignInBegun = z.infer<typeof SignInBegun>

export const EndSignIn = z.strictObject({
  /** What stood after the question mark when the browser came back; null for a device code. */
  callback: z.string().max(8_000).nullable(),
})
export type EndSignIn = z.infer<typeof EndSignIn>

export const SignInEnded = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('signed-in'), ledger: z.int() }),
  /** Nobody has typed the code yet. */
  z.strictObject({ kind: z.literal('pending'), intervalSeconds: z.int() }),
])
export type SignInEnded = z.infer<typeof SignInEnded>

/** The place of an address that tokens may go to; undefined where nothing may go. */
export function oauthDestination(text: string): Destination | undefined {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return undefined
  const scheme = url.protocol === 'https:' ? 'https' : url.protocol === 'http:' ? 'http' : undefined
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  if (scheme === undefined || (scheme === 'http' && !isThisComputer(host))) return undefined
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port)
  const place = Destination.safeParse({ scheme, host, port })
  return place.success ? place.data : undefined
}
