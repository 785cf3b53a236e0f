/**
 * Owns where the private key of the vault lives. A key that was put into the keyring is looked for there for ever: a
 * keyring that cannot be reached is an error, never a reason to begin again with a file.
 */
import { existsSync, readFileSync } from 'node:fs'
import { CountersignError } from '@countersign/contract'
import { replaceFile } from '@countersign/contract/node'
import { z } from 'zod'

export const IdentityStorage = z.enum(['keyring', 'file'])
export type IdentityStorage = z.infer<typeof IdentityStorage>

export interface IdentityStore {
  readonly name: IdentityStorage
  /** Null when it keeps none. Rejects when it cannot be reached, or must not be believed. */
  read(): Promise<string | null>
  /** Refuses to replace another one, since whatever was sealed for it would be lost. */
  write(identity: string): Promise<void>
}

/** A store that may be missing on this host. */
export interface ProbedStore extends IdentityStore {
  /** Why it cannot be used, or null when it can: something was written, read and removed. */
  probe(): Promise<string | null>
}

export interface IdentityOptions {
  /** A file that says where the key was put. */
  readonly record: string
  readonly keyring: ProbedStore
  readonly file: IdentityStore
  /** What the operator's settings ask for; without it, the keyring where one works. */
  readonly wanted?: IdentityStorage | undefined
}

const Placement = z.strictObject({ v: z.literal(1), store: IdentityStorage })

/** The store that keeps the key, or that will when there is one. */
export async function openIdentity(options: IdentityOptions): Promise<IdentityStore> {
  const { record, keyring, file, wanted } = options
  const placed = placementIn(record)
  if (placed !== null && wanted !== undefined && wanted !== placed) {
    throw new CountersignError(
      'config_invalid',
      `The settings ask for the key of the vault in the ${wanted}, but it was put into the ${placed}.`,
      { next: `Set it to \`${placed}\` again, or remove every secret and the file ${record} first.` },
    )
  }
  const kept = placed ?? (await heldBy(file, wanted))
  if (kept === 'file') return recording(file, record)
  const problem = await keyring.probe()
  if (problem === null) return recording(keyring, record)
  if (kept === 'keyring') throw unreachable(problem)
  return recording(file, record)
}

function placementIn(record: string): IdentityStorage | null {
  if (!existsSync(record)) return null
  try {
    return Placement.parse(JSON.parse(readFileSync(record, 'utf8'))).store
  } catch (cause) {
    throw new CountersignError(
      'config_invalid',
      `The file ${record} does not say where the key of the vault is.`,
      { cause, next: 'Restore it: {"v":1,"store":"keyring"} or {"v":1,"store":"file"}.' },
    )
  }
}

/** A key in the file stays there, also when a keyring has come since. */
async function heldBy(
  file: IdentityStore,
  wanted: IdentityStorage | undefined,
): Promise<IdentityStorage | null> {
  if (wanted !== undefined) return wanted
  return (await file.read()) === null ? null : 'file'
}

/** Says where the key is once it is there, and not before. */
function recording(store: IdentityStore, record: string): IdentityStore {
  return {
    name: store.name,
    read: () => store.read(),
    async write(identity) {
      await store.write(identity)
      replaceFile(
        record,
        `${JSON.stringify({ v: 1, store: store.name } satisfies z.infer<typeof Placement>)}\n`,
      )
    },
  }
}

export function unreachable(problem: string, cause?: unknown): CountersignError {
  return new CountersignError(
    'config_invalid',
    `The key of the vault is in the keyring of this host, which cannot be reached: ${problem}`,
    {
      next: 'Unlock the keyring, or log in to the desktop session that holds it, then try again.',
      ...(cause === undefined ? {} : { cause }),
    },
  )
}
