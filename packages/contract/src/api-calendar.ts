/**
 * Owns the shape of a calendar account: a CalDAV and CardDAV server with which events and contacts are kept the same.
 * Refuses a server without TLS that is not this computer.
 */
import { z } from 'zod'
import { AccountName } from './account-name.ts'
import { mailLine } from './api-mail.ts'
import { Destination, SecretName, SecretValue } from './api-secrets.ts'
import { isThisComputer } from './this-computer.ts'

/** `both` sends local changes to the server as well; `pull` only takes. */
export const SyncDirection = z.enum(['both', 'pull'])
export type SyncDirection = z.infer<typeof SyncDirection>

export const CalendarServer = z
  .string()
  .max(500)
  .refine((text) => calendarDestination(text) !== undefined, {
    message: 'must be an address such as https://dav.example.org/; without TLS only localhost can be reached',
  })

export const CalendarAccount = z.strictObject({
  name: AccountName,
  url: CalendarServer,
  /** What the server knows the operator by. */
  user: mailLine(254).min(1),
  direction: SyncDirection,
  /** Whether events and contacts that are made here go to this account. */
  receivesNew: z.boolean(),
  everyMinutes: z.int().min(1).max(1_440),
  /** The secret in the vault; pinned to the server and the tools of calendar accounts. */
  secret: SecretName,
})
export type CalendarAccount = z.infer<typeof CalendarAccount>

export const StoreCalendarAccount = CalendarAccount.omit({ name: true, secret: true }).extend({
  /** An app password, where the provider has them. Left out, the one that is kept stays. */
  password: SecretValue.optional(),
})
export type StoreCalendarAccount = z.infer<typeof StoreCalendarAccount>

export const CalendarAccountStored = z.strictObject({
  account: CalendarAccount,
  replaced: z.boolean(),
  /** What is here and would be copied to the server. */
  local: z.strictObject({ events: z.int(), contacts: z.int() }),
  ledger: z.int(),
})
export type CalendarAccountStored = z.infer<typeof CalendarAccountStored>

export const CalendarAccountRemoved = z.strictObject({ name: AccountName, ledger: z.int() })

export const SyncKind = z.enum(['event', 'contact'])
export type SyncKind = z.infer<typeof SyncKind>

/** How an account stands, as its owner is shown it. */
export const CalendarAccountView = CalendarAccount.extend({
  lastSyncAt: z.string().nullable(),
  /** Why the last try failed; null where it did not. */
  problem: z.string().nullable(),
  events: z.int(),
  contacts: z.int(),
  conflicts: z.int(),
  /** Changes that wait for an approval. */
  asking: z.int(),
  /** Changes that stay here because an approval was denied. */
  staysHere: z.int(),
  /** Entries of the server that cannot be read; they stay there as they are. */
  unreadable: z.int(),
})
export type CalendarAccountView = z.infer<typeof CalendarAccountView>

export const SyncReport = z.strictObject({
  account: AccountName,
  taken: z.int(),
  removed: z.int(),
  sent: z.int(),
  asking: z.int(),
  conflicts: z.int(),
  unreadable: z.int(),
  problem: z.string().nullable(),
})
export type SyncReport = z.infer<typeof SyncReport>

/** Both sides changed one entry. Null stands for a deletion. */
export const SyncConflict = z.strictObject({
  id: z.string(),
  account: AccountName,
  kind: SyncKind,
  title: z.string(),
  mine: z.record(z.string(), z.unknown()).nullable(),
  theirs: z.record(z.string(), z.unknown()).nullable(),
})
export type SyncConflict = z.infer<typeof SyncConflict>

export const SettleConflict = z.strictObject({ keep: z.enum(['mine', 'theirs']) })
export type SettleConflict = z.infer<typeof SettleConflict>

export function calendarSecretName(account: string): string {
  return `calendar.${account}`
}

/** The one place that the password of an account may go to; nothing where the address is not one exact place. */
export function calendarDestination(url: string): Destination | undefined {
  const parsed = URL.parse(url)
  if (
    !parsed ||
    parsed.username !== '' ||
    parsed.password !== '' ||
    parsed.search !== '' ||
    parsed.hash !== ''
  )
    return undefined
  const scheme = parsed.protocol === 'https:' ? 'https' : parsed.protocol === 'http:' ? 'http' : undefined
  const host = parsed.hostname.replaceAll(/^\[|\]$/g, '')
  const port = parsed.port === '' ? (scheme === 'https' ? 443 : 80) : Number(parsed.port)
  const place = Destination.safeParse({ scheme, host, port })
  if (!place.success || (scheme === 'http' && !isThisComputer(host))) return undefined
  return place.data
}

/** The tools that an account is for; its password goes along with no other. */
export const calendarAccountTools = [
  'list_synced_entries',
  'fetch_synced_entries',
  'push_synced_entries',
] as const
