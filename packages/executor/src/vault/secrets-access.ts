/** Owns the executor's way to the secrets: opened when a call first asks for one, so that most calls never touch them. */
import type { ApprovalSubject } from '@countersign/contract'
import { createRedactor } from '@countersign/contract/node'
import { noSecrets, type SecretSource } from '../egress/secret-source.ts'
import type { GrantSource } from '../oauth/access-tokens.ts'
import type { SecretPins } from '../resolve.ts'
import type { Vault } from './vault.ts'
import { openVaultAt, type VaultPaths } from './vault-paths.ts'

export interface SecretsAccess {
  readonly refusal: SecretPins
  /** For a call that is about to run: the values that its permit names, and no others. */
  openFor(subject: Pick<ApprovalSubject, 'secrets' | 'tool'>): Promise<SecretSource>
  /** For a call that signs in by OAuth2: what its permit names, as the vault is at that moment. */
  grantsFor(subject: Pick<ApprovalSubject, 'secrets' | 'tool'>): GrantSource
  /** Takes these out, where they are there. */
  forget(names: readonly string[]): Promise<void>
  /** Their names; nothing where there are none. */
  names(): Promise<readonly string[]>
  /** Takes out the values that calls of this process took along so far. */
  readonly mask: <T>(value: T) => T
}

/** Of one account: the last few access tokens, and the refresh tokens that came with them. */
const mostTokens = 16

export function createSecretsAccess(place: VaultPaths | undefined): SecretsAccess {
  const redactor = createRedactor()
  const tokens = new Map<string, readonly string[]>()
  let opened: Promise<Vault> | undefined
  const vault = (known: VaultPaths) => {
    opened ??= openVaultAt(known).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    mask: redactor.json,
    async forget(names) {
      if (!place || names.length === 0) return
      const kept = await vault(place)
      for (const { name, value } of await kept.all())
        if (names.includes(name)) await kept.exchange(name, value, null)
    },
    names: async () => (place ? (await (await vault(place)).list()).map(({ name }) => name) : []),
    async refusal(name, destination, tool) {
      if (!place) return `There is no secret ${name} here.`
      const reply = await (await vault(place)).check(name, destination, tool)
      return reply.kind === 'refused' ? reply.reason : undefined
    },
    grantsFor: ({ secrets, tool }) => ({
      async current(name, places) {
        if (!place || !secrets.includes(name)) return undefined
        const kept = await vault(place)
        const replies = await Promise.all(places.map((each) => kept.value(name, each, tool.name)))
        const values = replies.map((reply) => (reply.kind === 'value' ? reply.value : undefined))
        return values.includes(undefined) ? undefined : values[0]
      },
      exchange: async (name, before, after) =>
        place !== undefined && secrets.includes(name) && (await vault(place)).exchange(name, before, after),
      mask(name, token) {
        redactor.register(name, token)
        const known = [...(tokens.get(name) ?? []).filter((each) => each !== token), token]
        // Tokens of hours ago have ended, and every one that is masked costs time.
        for (const old of known.slice(0, -mostTokens)) redactor.forget(old)
        tokens.set(name, known.slice(-mostTokens))
      },
    }),
    async openFor({ secrets, tool }) {
      if (secrets.length === 0 || !place) return noSecrets
      const kept = await vault(place)
      for (const { name, value } of await kept.all()) redactor.register(name, value)
      const source = await kept.openFor(tool.name)
      return {
        value: (name, destination) => (secrets.includes(name) ? source.value(name, destination) : undefined),
      }
    },
  }
}
