/**
 * Owns the operator's secrets at rest: one age file, sealed for a key that lives elsewhere. A value leaves it for the
 * exact place that it is pinned to, and for the redactor. Refuses to write over a file that it could not read.
 */
import { createHmac } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import {
  CountersignError,
  type Destination,
  isServerOAuthSecret,
  mailClientSecretName,
  mailGrantName,
  mailSignInCommand,
  type SecretEntry,
  SecretName,
  SecretValue,
  StoreSecret,
  serverSignInCommand,
} from '@countersign/contract'
import { replaceFile } from '@countersign/contract/node'
import { z } from 'zod'
import { type Contents, emptyContents, freshIdentity, type StoredSecret, seal, unseal } from './contents.ts'
import { inTurn } from './file-lock.ts'
import type { IdentityStore } from './identity.ts'
import { openUses } from './last-uses.ts'

export interface VaultOptions {
  readonly file: string
  readonly identity: IdentityStore
  readonly clock?: () => Date
  readonly onProblem?: (error: unknown) => void
}

export type ValueReply =
  | { readonly kind: 'value'; readonly value: string }
  /** A sentence that names the secret and what to do, never the value. */
  | { readonly kind: 'refused'; readonly reason: string }

/** What one call may take out, as the vault is now. */
export interface OpenSecrets {
  value(name: string, destination: Destination): string | undefined
}

export interface Vault {
  list(): Promise<SecretEntry[]>
  value(name: string, destination: Destination, tool: string): Promise<ValueReply>
  /** The same without taking anything out: for a call that is only looked at. */
  check(name: string, destination: Destination, tool: string): Promise<ValueReply>
  /** For a tool that is about to run. Reads the file again if it changed. */
  openFor(tool: string): Promise<OpenSecrets>
  put(
    name: string,
    secret: StoreSecret,
  ): Promise<{ readonly secret: SecretEntry; readonly replaced: boolean }>
  /** A new value for the same places. The old one is used no more, and masked for a while yet. */
  rotate(name: string, value: string): Promise<SecretEntry>
  /**
   * A new value in the place of exactly this one, or none at all; false where another stands there by now. What was
   * there is masked for a while yet.
   */
  exchange(name: string, value: string, next: string | null): Promise<boolean>
  remove(name: string): Promise<void>
  /** Every value that must be masked, retired ones included. For the redactor only. */
  all(): Promise<{ readonly name: string; readonly value: string }[]>
  /** Tells values apart without telling them: equal for equal values of this vault, and of no use elsewhere. */
  fingerprint(value: string): Promise<string>
}

const mostSecrets = 1_000
/** Long enough for what still holds the old value to be over: caches, queues, sessions of the service. */
const retiredDays = 30
const day = 24 * 60 * 60_000
/** What is exchanged every hour would otherwise be masked by the thousand. */
const mostExchanged = 7

/** Fails when there is a file that cannot be read. */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const { file, identity, clock = () => new Date(), onProblem = () => undefined } = options
  const uses = openUses(`${file}.uses`, clock, onProblem)
  let seen: { readonly stamp: string; readonly contents: Contents } | undefined

  async function contents(): Promise<Contents> {
    const stamp = stampOf(file)
    if (stamp === null) {
      if (seen === undefined) return emptyContents
      throw new CountersignError('config_invalid', `The vault ${file} was there and is gone.`, {
        next: 'Put it back. To begin with an empty one, start the gateway again.',
      })
    }
    // The stamp is the older of the two, so that a change in between is read the next time.
    if (seen?.stamp !== stamp)
      seen = { stamp, contents: await unseal(readFileSync(file, 'utf8'), await knownIdentity(), file) }
    return seen.contents
  }

  async function knownIdentity(): Promise<string> {
    const known = await identity.read()
    if (known !== null) return known
    throw new CountersignError(
      'config_invalid',
      `There is a vault ${file}, but its key is not in the ${identity.name}.`,
      { next: 'Restore the key, or move the file away and set every secret again.' },
    )
  }

  /** A new key is made only where nothing was sealed for another one. */
  async function someIdentity(): Promise<string> {
    const known = await identity.read()
    if (known !== null || stampOf(file) !== null) return known ?? knownIdentity()
    const fresh = await freshIdentity()
    await identity.write(fresh)
    return fresh
  }

  const inOrder = <T>(work: () => Promise<T>) => inTurn(`${file}.lock`, work)

  function change<T>(edit: (before: Contents, now: string) => { after: Contents; result: T }): Promise<T> {
    return inOrder(async () => {
      const now = clock().toISOString()
      const { after, result } = edit(await contents(), now)
      const kept = { ...after, retired: after.retired.filter(({ until }) => until > now) }
      replaceFile(file, await seal(kept, await someIdentity()))
      seen = { stamp: stampOf(file) ?? '', contents: kept }
      return result
    })
  }

  const vault: Vault = {
    async list() {
      const { secrets } = await contents()
      const used = uses.all()
      return secrets.map((secret) => entryOf(secret, used))
    },
    async value(name, destination, tool) {
      const found = findFor(await contents(), name, destination, tool)
      if (found.kind === 'value') uses.used(name)
      return found
    },
    check: async (name, destination, tool) => findFor(await contents(), name, destination, tool),
    async openFor(tool) {
      const held = await contents()
      return {
        value(name, destination) {
          const found = findFor(held, name, destination, tool)
          if (found.kind === 'refused') return undefined
          uses.used(name)
          return found.value
        },
      }
    },
    put(name, secret) {
      const parts = { ...parsed(StoreSecret, secret), name: parsed(SecretName, name) }
      return change((before, now) => {
        const old = before.secrets.find((kept) => kept.name === name)
        const kept: StoredSecret = {
          ...parts,
          createdAt: old?.createdAt ?? now,
          rotatedAt: old ? now : null,
        }
        if (!old && before.secrets.length >= mostSecrets) {
          throw new CountersignError('limit_reached', `The vault holds ${mostSecrets} secrets already.`, {
            next: 'Remove one with `countersign secret rm`.',
          })
        }
        return {
          after: replaced(before, old, kept, now),
          result: { secret: entryOf(kept, uses.all()), replaced: old !== undefined },
        }
      })
    },
    rotate(name, given) {
      const value = parsed(SecretValue, given)
      return change((before, now) => {
        const old = before.secrets.find((kept) => kept.name === name) ?? missing(name)
        const kept = { ...old, value, rotatedAt: now }
        return { after: replaced(before, old, kept, now), result: entryOf(kept, uses.all()) }
      })
    },
    exchange(name, value, next) {
      const given = next === null ? null : parsed(SecretValue, next)
      return change((before, now) => {
        const old = before.secrets.find((kept) => kept.name === name)
        if (old?.value !== value) return { after: before, result: false }
        const lately = before.retired.filter((kept) => kept.name === name).slice(-mostExchanged)
        const others = before.retired.filter((kept) => kept.name !== name)
        const retired = [...others, ...lately, retiredFrom(old, now)]
        const secrets = before.secrets.flatMap((kept) => {
          if (kept !== old) return [kept]
          return given === null ? [] : [{ ...old, value: given, rotatedAt: now }]
        })
        return { after: { ...before, secrets, retired }, result: true }
      })
    },
    remove(name) {
      return change((before) => {
        if (!before.secrets.some((kept) => kept.name === name)) missing(name)
        const without = <Kept extends { name: string }>(kept: readonly Kept[]) =>
          kept.filter((each) => each.name !== name)
        const after = { ...before, secrets: without(before.secrets), retired: without(before.retired) }
        return { after, result: undefined }
      })
    },
    async all() {
      const { secrets, retired } = await contents()
      return [...retired, ...secrets].map(({ name, value }) => ({ name, value }))
    },
    async fingerprint(value) {
      const salt = createHmac('sha256', await inOrder(someIdentity))
        .update('countersign/secret/v1')
        .digest()
      return createHmac('sha256', salt).update(value).digest('hex').slice(0, 16)
    },
  }
  await contents()
  return vault
}

function findFor(held: Contents, name: string, destination: Destination, tool: string): ValueReply {
  const kept = held.secrets.find((secret) => secret.name === name)
  if (!kept)
    return {
      kind: 'refused',
      reason: `There is no secret ${name}. ${howToSet(name)}`,
    }
  const { scheme, host, port } = destination
  if (!kept.destinations.some((pin) => pin.scheme === scheme && pin.host === host && pin.port === port))
    return { kind: 'refused', reason: `The secret ${name} is not for ${scheme}://${host}:${port}.` }
  if (kept.tools.length > 0 && !kept.tools.includes(tool))
    return { kind: 'refused', reason: `The secret ${name} is not for the tool ${tool}.` }
  return { kind: 'value', value: kept.value }
}

/** Secrets of accounts are set by the command that sets the account up. */
function howToSet(name: string): string {
  const [kind, account = ''] = name.split('.')
  if (name === mailGrantName(account)) return `Sign in: \`${mailSignInCommand(account)}\`.`
  if (kind === 'mail' || name === mailClientSecretName(account))
    return `Set it with \`countersign mail add ${account}\`.`
  if (isServerOAuthSecret(name)) return `Sign in: \`${serverSignInCommand(account)}\`.`
  return `Set it with \`countersign secret set ${name}\`.`
}

function replaced(
  before: Contents,
  old: StoredSecret | undefined,
  kept: StoredSecret,
  now: string,
): Contents {
  const others = before.secrets.filter(({ name }) => name !== kept.name)
  const secrets = [...others, kept].toSorted((left, right) => (left.name < right.name ? -1 : 1))
  if (!old || old.value === kept.value) return { ...before, secrets }
  return { ...before, secrets, retired: [...before.retired, retiredFrom(old, now)] }
}

function retiredFrom({ name, value }: StoredSecret, now: string): Contents['retired'][number] {
  return { name, value, until: new Date(Date.parse(now) + retiredDays * day).toISOString() }
}

function entryOf(kept: StoredSecret, uses: Readonly<Record<string, string>>): SecretEntry {
  const { name, description, destinations, tools, createdAt, rotatedAt } = kept
  const used = uses[name]
  // A use from before belongs to another secret that had the name.
  const lastUsedAt = used !== undefined && used >= createdAt ? used : null
  return { name, description, destinations, tools, createdAt, rotatedAt, lastUsedAt }
}

function missing(name: string): never {
  throw new CountersignError('not_found', `There is no secret ${name}.`, {
    next: 'List what there is with `countersign secret list`.',
  })
}

function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  throw new CountersignError('usage', z.prettifyError(result.error))
}

/** Null when there is no file. */
function stampOf(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.size}` : null
}
