/**
 * Owns the keys of providers. A key lies in the vault, pinned to the one place where its provider is and to model calls,
 * so that no tool may use it and no other host gets it. Refuses a key that could not be masked.
 */
import { CountersignError, type Destination, SecretValue } from '@countersign/contract'
import type { Vault } from '@countersign/executor'
import { kinds } from '@countersign/models'
import type { ActingOperator, SecretAdmin } from '../server/secrets.ts'
import type { ConfiguredModel, ProviderChoice } from './model-choices.ts'
import { isSameDestination, providerAddressOf } from './provider-address.ts'

export interface KeyParts {
  readonly vault: Pick<Vault, 'check' | 'value' | 'list'>
  readonly secrets: Pick<SecretAdmin, 'store' | 'remove'>
  readonly configured: ConfiguredModel | null
}

export type KeyLocation = 'vault' | 'environment' | 'none' | 'missing'
export type KeyedProvider = Pick<ProviderChoice, 'name' | 'kind' | 'url' | 'source'>

export interface ProviderKeys {
  locationOf(provider: KeyedProvider): Promise<KeyLocation>
  /** Undefined where there is none for exactly this provider at exactly its place. */
  valueOf(provider: KeyedProvider): Promise<string | undefined>
  /** Notes that the key was used just now. */
  used(provider: KeyedProvider): Promise<void>
  store(by: ActingOperator, name: string, destination: Destination, value: string): Promise<void>
  /** False where there was none. */
  remove(by: ActingOperator, name: string): Promise<boolean>
}

/** In the place of a tool's name; there is no tool of that name. */
export const modelCall = 'model_call'

export function secretOf(provider: string): string {
  return `provider.${provider}`
}

export function createProviderKeys({ vault, secrets, configured }: KeyParts): ProviderKeys {
  async function valueOf(provider: KeyedProvider): Promise<string | undefined> {
    if (provider.source === 'configuration') return configured?.key
    const address = providerAddressOf(provider.url)
    if (address.kind === 'refused') return undefined
    const found = await vault.check(secretOf(provider.name), address.destination, modelCall)
    return found.kind === 'value' ? found.value : undefined
  }

  return {
    valueOf,
    async locationOf(provider) {
      if ((await valueOf(provider)) !== undefined)
        return provider.source === 'configuration' ? 'environment' : 'vault'
      return kinds[provider.kind].key === 'needed' ? 'missing' : 'none'
    },
    async used(provider) {
      const address = providerAddressOf(provider.url)
      if (provider.source === 'operator' && address.kind === 'address')
        await vault.value(secretOf(provider.name), address.destination, modelCall)
    },
    async store(by, name, destination, value) {
      requireKey(value)
      await secrets.store(by, secretOf(name), {
        value,
        description: `The key of the model provider ${name}.`,
        destinations: [destination],
        tools: [modelCall],
      })
    },
    async remove(by, name) {
      const known = await vault.list()
      if (!known.some((secret) => secret.name === secretOf(name))) return false
      await secrets.remove(by, secretOf(name))
      return true
    },
  }
}

/** Says what is wrong with a key before anything is done, and never repeats it. */
export function requireKey(value: string): void {
  const parsed = SecretValue.safeParse(value)
  if (parsed.success && /^[\x21-\x7e]+$/.test(value)) return
  const short = value.length < 8
  throw new CountersignError(
    'usage',
    short
      ? `The key has ${value.length} characters. The vault needs at least 8, because a shorter key cannot be masked without masking ordinary text.`
      : 'The key cannot be stored: it is too simple to be masked, or contains invalid characters.',
    {
      next: 'Copy the whole key from the provider. If the server needs no key, leave it out.',
    },
  )
}

/** Whether a provider that moves needs its key again: a key must not go to another place unasked. */
export function movesAway(from: string, to: string): boolean {
  const [before, after] = [providerAddressOf(from), providerAddressOf(to)]
  if (before.kind === 'refused' || after.kind === 'refused') return true
  return !isSameDestination(before.destination, after.destination)
}
