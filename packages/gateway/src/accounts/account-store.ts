/** Owns what accounts of every kind have in common: the record without the password, and the password in the vault for the account's own places. */
import { CountersignError, type Destination, type JsonObject, type Records } from '@countersign/contract'
import type { ActingOperator, SecretAdmin } from '../server/secrets.ts'

export type AccountSecrets = Pick<SecretAdmin, 'list' | 'store' | 'remove'>

export interface AccountPassword {
  readonly secret: string
  readonly description: string
  readonly destinations: readonly Destination[]
  /** Of the account as it was; nothing where it is new. */
  readonly before: readonly Destination[] | undefined
  readonly tools: readonly string[]
  readonly password: string | undefined
  /** The command that asks for the password. */
  readonly command: string
}

/** A password is kept for its places; at others it must be given again, so that nobody leads it elsewhere. */
export async function storePassword(
  by: ActingOperator,
  { secret, description, destinations, before, tools, password, command }: AccountPassword,
  secrets: AccountSecrets,
): Promise<void> {
  if (password !== undefined) {
    const kept = { value: password, description, destinations: [...destinations], tools: [...tools] }
    await secrets.store(by, secret, kept)
    return
  }
  const isSame = before && JSON.stringify(before) === JSON.stringify(destinations)
  if (isSame && (await isKept(secret, secrets))) return
  throw new CountersignError('usage', 'The account needs its password for these servers.', {
    next: `Give it again: \`${command}\` asks for it.`,
  })
}

export async function removePassword(
  by: ActingOperator,
  secret: string,
  secrets: AccountSecrets,
): Promise<void> {
  if (await isKept(secret, secrets)) await secrets.remove(by, secret)
}

export async function isKept(name: string, secrets: AccountSecrets): Promise<boolean> {
  return (await secrets.list()).some((secret) => secret.name === name)
}

export async function putAccount(
  rows: Records,
  collection: string,
  account: { readonly name: string },
): Promise<void> {
  const row = await rows.get(collection, account.name)
  const data = account as unknown as JsonObject
  if (row) await rows.replace(collection, account.name, row.version, data, null)
  else await rows.insert(collection, account.name, data, null)
}
