/**
 * Owns what the operator sees and changes of the providers. Refuses to let a key follow its provider to another place
 * unasked, and to add a provider that could not be called.
 */
import type { Meter } from '@countersign/agent'
import {
  type AddProvider,
  CountersignError,
  type DetectedProvider,
  type ProviderChanged,
  type ProviderHealth,
  type ProviderKind,
  type ProviderRemoved,
  type ProviderTested,
  type ProviderView,
  type SetProvider,
} from '@countersign/contract'
import { kinds } from '@countersign/models'
import type { z } from 'zod'
import type { ActingOperator } from '../server/secrets.ts'
import type { ModelChoices, ProviderChoice, StoredProvider } from './model-choices.ts'
import { isOwnDestination, type ProviderAddress, providerAddressOf } from './provider-address.ts'
import { movesAway, type ProviderKeys, requireKey } from './provider-keys.ts'
import type { TrialWish } from './provider-test.ts'
import {
  nameTakenError,
  requireKnown,
  requireOwn,
  requireRemovable,
  type StoredChoices,
} from './stored-choices.ts'

export interface ProviderEnvironmentKey {
  readonly variable: string
  readonly value: string
}

export interface ProviderAdminParts {
  readonly settings: StoredChoices
  readonly keys: ProviderKeys
  readonly environmentKeys: ReadonlyMap<ProviderKind, ProviderEnvironmentKey>
  readonly health: { view(provider: string): ProviderHealth; forget(provider: string): void }
  readonly detect: (choices: ModelChoices) => Promise<readonly DetectedProvider[]>
  /** One real call that counts in the books. */
  readonly tryOut: (
    provider: ProviderChoice,
    asked: TrialWish,
    meter: Meter,
    signal: AbortSignal,
  ) => Promise<ProviderTested>
  /** Whose money a test of this speaker is. */
  readonly meterFor: (speaker: ActingOperator) => Meter
}

export interface ProviderAdmin {
  list(): Promise<ProviderView[]>
  detect(): Promise<DetectedProvider[]>
  /** Calls nobody: whether it works is seen by a test. */
  add(by: ActingOperator, added: AddProvider): Promise<z.infer<typeof ProviderChanged>>
  set(by: ActingOperator, name: string, change: SetProvider): Promise<z.infer<typeof ProviderChanged>>
  remove(by: ActingOperator, name: string): Promise<z.infer<typeof ProviderRemoved>>
  test(by: ActingOperator, name: string, asked?: TrialWish, signal?: AbortSignal): Promise<ProviderTested>
}

export function createProviderAdmin(parts: ProviderAdminParts): ProviderAdmin {
  const { settings, keys, environmentKeys, health } = parts

  async function viewOfApproval(provider: ProviderChoice): Promise<ProviderView> {
    const { name, kind, url, enabled, priority, timeoutMs, source } = provider
    return {
      name,
      kind,
      title: kinds[kind].title,
      url,
      key: await keys.locationOf(provider),
      enabled,
      priority,
      timeoutMs,
      source,
      health: health.view(name),
    }
  }

  async function changed(name: string, ledger: number) {
    // What it did before says nothing of what it is now.
    health.forget(name)
    return { provider: await viewOfApproval(requireKnown(await settings.read(), name)), ledger }
  }

  function keyFor(
    { kind, key, keyFromEnvironment }: AddProvider,
    { url, destination }: UsableAddress,
  ): string | undefined {
    if (!keyFromEnvironment) return key
    if (key !== undefined)
      throw usage('Both a key and the use of the key in the environment were given.', 'Choose one of them.')
    const { variables, title } = kinds[kind]
    const found = environmentKeys.get(kind)
    if (found && isOwnDestination(kind, destination)) return found.value
    if (found)
      throw usage(
        `${found.variable} is the key for ${title} itself, but ${url} is another address.`,
        'Give the key for that address, without --key-env; the command prompts for it.',
      )
    throw usage(
      `The environment of the gateway has no key for ${title}.`,
      variables.length === 0
        ? 'Give the key itself, or leave it out for a server that needs none.'
        : `Set ${variables.join(' or ')} where the gateway starts, or give the key itself.`,
    )
  }

  function missingKey({ kind }: AddProvider, { destination }: UsableAddress): CountersignError {
    const found = environmentKeys.get(kind)
    return usage(
      `${kinds[kind].title} needs a key.`,
      found && isOwnDestination(kind, destination)
        ? `The environment of the gateway has one in ${found.variable}: \`countersign provider add ${kind} --key-env\`.`
        : 'Create one in your account there, and enter it when the command prompts for it.',
    )
  }

  return {
    list: async () => Promise.all((await settings.read()).providers.map(viewOfApproval)),
    detect: async () => [...(await parts.detect(await settings.read()))],
    async add(by, added) {
      const { name, kind, timeoutMs, priority } = added
      const choices = await settings.read()
      if (choices.providers.some((known) => known.name === name)) throw nameTakenError(name, choices)
      const address = requireAddress(added.url ?? kinds[kind].baseUrl ?? undefined, kind)
      const { url, destination } = address
      const key = keyFor(added, address)
      const provider: StoredProvider = { kind, url, timeoutMs, priority, enabled: true }
      if (key !== undefined) requireKey(key)
      else if ((await keys.locationOf({ name, kind, url, source: 'operator' })) === 'missing')
        throw missingKey(added, address)
      // The record first: of two that add the same name at once, the second must not touch the key of the first.
      const ledger = await settings.addProvider(by, name, provider)
      if (key !== undefined) {
        try {
          await keys.store(by, name, destination, key)
        } catch (error) {
          await settings.removeProvider(by, name)
          throw error
        }
      }
      return changed(name, ledger)
    },
    async set(by, name, { key, url: given, ...rest }) {
      const provider = requireOwn(await settings.read(), name)
      if (key === undefined && given === undefined && Object.keys(defined(rest)).length === 0)
        throw usage(
          'Nothing to change was given.',
          `Say what to change, for example \`countersign provider set ${name} --key\`.`,
        )
      const { url, destination } = requireAddress(given ?? provider.url, provider.kind)
      if (key !== undefined) requireKey(key)
      else if (movesAway(provider.url, url) && (await keys.valueOf(provider)) !== undefined)
        throw usage(
          `${url} is another address than ${provider.url}, and the key of ${name} is only for that one.`,
          `Give the key together with the address: \`countersign provider set ${name} --address ${url} --key\`.`,
        )
      const wanted = { ...defined(rest), ...(given === undefined ? {} : { url }) }
      // The record first: a crash in between leaves a provider without a key, never a key for a place that has none.
      const ledger = await settings.changeProvider(by, name, wanted, key !== undefined)
      if (key !== undefined) {
        try {
          await keys.store(by, name, destination, key)
        } catch (error) {
          await settings.changeProvider(by, name, storedProviderOf(provider), false)
          throw error
        }
      }
      return changed(name, ledger)
    },
    async remove(by, name) {
      requireRemovable(await settings.read(), name)
      // The key first: a crash in between leaves a provider without a key, never a key without its provider.
      await keys.remove(by, name)
      const ledger = await settings.removeProvider(by, name)
      health.forget(name)
      return { name, ledger }
    },
    async test(by, name, asked = {}, signal = new AbortController().signal) {
      const provider = requireKnown(await settings.read(), name)
      return parts.tryOut(provider, asked, parts.meterFor(by), signal)
    },
  }
}

type UsableAddress = Extract<ProviderAddress, { kind: 'address' }>

function requireAddress(url: string | undefined, kind: ProviderKind): UsableAddress {
  if (url === undefined)
    throw usage(`${kinds[kind].title} has no fixed address, so you must give one.`, 'Give it with --url.')
  const address = providerAddressOf(url)
  if (address.kind === 'refused') throw usage(address.reason, address.next)
  return address
}

function storedProviderOf({ kind, url, timeoutMs, priority, enabled }: ProviderChoice): StoredProvider {
  return { kind, url, timeoutMs, priority, enabled }
}

function usage(message: string, next: string): CountersignError {
  return new CountersignError('usage', message, { next })
}

/** Without the fields that are there and undefined. */
function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
}
