/**
 * Owns the shape of an e-mail account: its two servers, its address, and the name of the secret that opens it. Refuses
 * a connection without TLS to any place but this computer.
 */
import { z } from 'zod'
import { AccountName } from './account-name.ts'
import { OAuthClient, oauthDestination, StoreOAuthClient } from './api-oauth.ts'
import { Destination, SecretName, SecretValue } from './api-secrets.ts'
import { isThisComputer } from './this-computer.ts'

/** `tls` from the first byte, `starttls` before anything of the operator's is said, `none` on this computer only. */
export const MailSecurity = z.enum(['tls', 'starttls', 'none'])
export type MailSecurity = z.infer<typeof MailSecurity>

export const MailServer = z
  .strictObject({ host: Destination.shape.host, port: Destination.shape.port, security: MailSecurity })
  .refine(({ host, security }) => security !== 'none' || isThisComputer(host), {
    path: ['security'],
    message: 'without TLS only localhost can be reached',
  })
export type MailServer = z.infer<typeof MailServer>

/** One address and nothing else: no name, no list, and nothing that could end a line. */
export const MailAddress = z
  .string()
  .max(254)
  .regex(
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/,
    'one address, as ana@example.org',
  )

/** Text of one line in a header: what a mail program shows beside an address, or a subject. */
export const mailLine = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((text) => text.isWellFormed(), 'text that cannot be written as UTF-8')
    .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'a line break or another control character')

const accountFields = z.strictObject({
  name: AccountName,
  address: MailAddress,
  displayName: mailLine(100),
  /** What the servers know the operator by; most often the address. */
  user: mailLine(254).min(1),
  imap: MailServer,
  smtp: MailServer,
  /** The secret in the vault: a password, or a refresh token. Pinned to the account's places and the e-mail tools. */
  secret: SecretName,
  /** Left out for an account with a password. */
  oauth: OAuthClient.exactOptional(),
})

/** A refresh token has another name than a password, so that nobody can have it sent as one. */
const isRightlyNamed = ({ name, secret, oauth }: z.infer<typeof accountFields>) =>
  secret === (oauth ? mailGrantName(name) : mailSecretName(name)) &&
  (!oauth || oauth.clientSecret === null || oauth.clientSecret === mailClientSecretName(name))

export const MailAccount = accountFields.refine(isRightlyNamed, {
  path: ['secret'],
  message: 'the secret of another account, or of another kind',
})
export type MailAccount = z.infer<typeof MailAccount>

/** How the search by meaning keeps up with an account. */
export const MailSearch = z.strictObject({
  /** E-mails that are found. */
  emails: z.int(),
  /** E-mails that are to be read yet. */
  waiting: z.int(),
  lookedAt: z.iso.datetime().nullable(),
  /** Why the last look did not work; null where it did. */
  problem: z.string().nullable(),
})
export type MailSearch = z.infer<typeof MailSearch>

/** An account as its owner is shown it. */
export const MailAccountView = accountFields.extend({
  /** Whether what opens it is kept: the password, or a sign-in that still holds. */
  signedIn: z.boolean(),
  /** Null where the operator did not make it searchable. */
  search: MailSearch.nullable(),
})
export type MailAccountView = z.infer<typeof MailAccountView>

export const StoreMailAccount = accountFields.omit({ name: true, secret: true, oauth: true }).extend({
  /** An app password, where the provider has them. Left out, the one that is kept stays. */
  password: SecretValue.optional(),
  /** Instead of a password; signing in is the next step. */
  oauth: StoreOAuthClient.optional(),
})
export type StoreMailAccount = z.infer<typeof StoreMailAccount>

export const MailAccountStored = z.strictObject({
  account: MailAccountView,
  replaced: z.boolean(),
  /** Whether the group of the e-mail tools is on. */
  enabled: z.boolean(),
  ledger: z.int(),
})
export type MailAccountStored = z.infer<typeof MailAccountStored>

export const SetMailSearchable = z.strictObject({ searchable: z.boolean() })

export const MailSearchableSet = z.strictObject({
  name: AccountName,
  searchable: z.boolean(),
  /** E-mails that were taken out of the search. */
  removed: z.int(),
  ledger: z.int(),
})
export type MailSearchableSet = z.infer<typeof MailSearchableSet>

export const MailAccountRemoved = z.strictObject({ name: AccountName, ledger: z.int() })

export function mailSecretName(account: string): string {
  return `mail.${account}`
}

/** Of the refresh token. */
export function mailGrantName(account: string): string {
  return `mail-oauth.${account}`
}

export function mailClientSecretName(account: string): string {
  return `mail-client.${account}`
}

export function mailSignInCommand(account: string): string {
  return `countersign mail sign-in ${account}`
}

/** The places that what opens an account may go to. */
export function mailDestinations({
  imap,
  smtp,
  oauth,
}: Pick<MailAccount, 'imap' | 'smtp' | 'oauth'>): Destination[] {
  const token = oauth && oauthDestination(oauth.tokenUrl)
  const places = [
    ...[imap, smtp].map(
      ({ host, port, security }): Destination => ({ scheme: mailScheme(security), host, port }),
    ),
    ...(token ? [token] : []),
  ]
  return places.filter(
    (place, index) => places.findIndex((each) => JSON.stringify(each) === JSON.stringify(place)) === index,
  )
}

/** As policy and the vault write a place: encrypted, or not. */
export function mailScheme(security: MailSecurity): Destination['scheme'] {
  return security === 'none' ? 'http' : 'https'
}

/** Among the operator's records. */
export const mailAccountsCollection = 'mail_accounts'

/** As a server names a folder. A star or a percent sign would be a pattern. */
export const MailFolder = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}*%]+$/u, 'not the name of a folder')

/** Every e-mail leaves by it, answers too. */
export const mailSender = 'send_email'

/** The tools that an account is for; its password goes along with no other. */
export const mailTools = [
  'list_emails',
  'search_emails',
  'read_email',
  'send_email',
  'reply_email',
  'delete_email',
  'restore_email',
  'check_email_account',
  'look_for_new_emails',
  'read_emails_for_search',
] as const
