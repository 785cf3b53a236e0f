/** Owns what the vault holds and how it is sealed. Refuses what it cannot read whole: there is no vault in part. */
import { CountersignError, Destination, SecretName } from '@countersign/contract'
import { z } from 'zod'

const StoredSecret = z.strictObject({
  name: SecretName,
  value: z.string(),
  description: z.string(),
  destinations: z.array(Destination),
  tools: z.array(z.string()),
  createdAt: z.string(),
  rotatedAt: z.string().nullable(),
})
export type StoredSecret = z.infer<typeof StoredSecret>

/** A value that is no longer used and still masked. */
const RetiredValue = z.strictObject({ name: SecretName, value: z.string(), until: z.string() })

const Contents = z.strictObject({
  v: z.literal(1),
  secrets: z.array(StoredSecret),
  retired: z.array(RetiredValue),
})
export type Contents = z.infer<typeof Contents>

export const emptyContents: Contents = { v: 1, secrets: [], retired: [] }

/** As text, so that the `age` program opens it as well. */
export async function seal(contents: Contents, identity: string): Promise<string> {
  const { armor, Encrypter, identityToRecipient } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(identity))
  return armor.encode(await encrypter.encrypt(JSON.stringify(contents)))
}

export async function unseal(text: string, identity: string, file: string): Promise<Contents> {
  const { armor, Decrypter } = await import('age-encryption')
  let sealed: Uint8Array
  try {
    sealed = armor.decode(text)
  } catch (cause) {
    throw damaged(file, 'it is not an age file', cause)
  }
  const decrypter = new Decrypter()
  try {
    decrypter.addIdentity(identity)
  } catch (cause) {
    throw new CountersignError('config_invalid', 'The key of the vault is damaged.', {
      // The cause may repeat the key.
      cause: cause instanceof Error ? cause.name : undefined,
      next: `Restore the key that ${file} was sealed for.`,
    })
  }
  let opened: string
  try {
    opened = await decrypter.decrypt(sealed, 'text')
  } catch (cause) {
    if (cause instanceof Error && /no identity matched/i.test(cause.message)) {
      throw new CountersignError('config_invalid', `The vault ${file} was sealed for another key.`, {
        cause,
        next: 'Restore the key that belongs to it, or move the file away and set every secret again.',
      })
    }
    throw damaged(file, 'it was changed or cut', cause)
  }
  return contentsIn(opened, file)
}

export async function freshIdentity(): Promise<string> {
  const { generateX25519Identity } = await import('age-encryption')
  return generateX25519Identity()
}

function contentsIn(text: string, file: string): Contents {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Not the cause: it would quote what the vault holds.
    throw damaged(file, 'what is sealed is not JSON')
  }
  const version = z.looseObject({ v: z.unknown() }).safeParse(value)
  if (version.success && version.data.v !== 1) {
    throw new CountersignError(
      'config_invalid',
      `The vault ${file} has the version ${String(version.data.v)}, which this program does not know.`,
      { next: 'Install the version of Countersign that wrote it, or a newer one.' },
    )
  }
  const parsed = Contents.safeParse(value)
  if (!parsed.success) throw damaged(file, 'what is sealed is not what a vault holds')
  return parsed.data
}

function damaged(file: string, how: string, cause?: unknown): CountersignError {
  return new CountersignError('config_invalid', `The vault ${file} cannot be read: ${how}.`, {
    ...(cause === undefined ? {} : { cause }),
    next: 'Restore it from a backup, or move it away and set every secret again.',
  })
}
