/**
 * Owns the operator's acts on secrets, and their routes. An act is masked first, recorded second and done third, so that
 * no value is ever said and no change goes unrecorded. A value goes in; no route gives one out.
 */
import {
  CountersignError,
  type OperatorId,
  type SecretEntry,
  type SecretRemoved,
  type SecretStored,
  type StoreSecret,
  secretHandle,
} from '@countersign/contract'
import type { Redactor } from '@countersign/contract/node'
import { secretRoutes } from '@countersign/contract/routes'
import type { Actor, EntryDraft } from '@countersign/kernel'
import { type App, route } from './route.ts'

/** What is needed of a vault. */
export interface SecretVault {
  list(): Promise<SecretEntry[]>
  put(
    name: string,
    secret: StoreSecret,
  ): Promise<{ readonly secret: SecretEntry; readonly replaced: boolean }>
  rotate(name: string, value: string): Promise<SecretEntry>
  remove(name: string): Promise<void>
  all(): Promise<readonly { readonly name: string; readonly value: string }[]>
  fingerprint(value: string): Promise<string>
}

export interface SecretParts {
  readonly vault: SecretVault
  readonly redactor: Pick<Redactor, 'register' | 'text'>
  /** Records an act of the operator; gives the number of its ledger entry. */
  readonly act: (operator: OperatorId, entry: EntryDraft) => Promise<number>
}

export interface SecretAdmin {
  list(): Promise<SecretEntry[]>
  store(speaker: ActingOperator, name: string, secret: StoreSecret): Promise<SecretStored>
  rotate(speaker: ActingOperator, name: string, value: string): Promise<SecretStored>
  remove(speaker: ActingOperator, name: string): Promise<SecretRemoved>
  /** Masks what another process has put into the vault. Costs a look at the file when nothing changed. */
  refresh(): Promise<void>
}

export interface ActingOperator {
  readonly operator: OperatorId
  readonly actor: Actor
}

export function createSecretAdmin({ vault, redactor, act }: SecretParts): SecretAdmin {
  /** The entry comes first; if the change then fails, a second entry says so. */
  async function recorded<T>(
    { operator, actor }: ActingOperator,
    entry: Pick<EntryDraft, 'type' | 'data'>,
    change: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly ledger: number }> {
    const ledger = await act(operator, { ...entry, actor })
    try {
      return { result: await change(), ledger }
    } catch (error) {
      const data = { name: entry.data['name'] ?? null, attempted: entry.type, entry: ledger }
      await act(operator, { type: 'secret.unchanged', actor, data })
      throw error
    }
  }

  async function known(name: string): Promise<SecretEntry> {
    const found = (await vault.list()).find((secret) => secret.name === name)
    if (found) return found
    throw new CountersignError('not_found', `There is no secret ${name}.`, {
      next: 'List them with `countersign secret list`.',
    })
  }

  return {
    list: () => vault.list(),
    async store(by, name, secret) {
      redactor.register(name, secret.value)
      const { value, ...rest } = secret
      // Whoever pastes the value into the wrong field has not told it to everybody who may list.
      const pins = { ...rest, description: redactor.text(rest.description) }
      const data = { name, fingerprint: await vault.fingerprint(value), ...pins }
      const { result, ledger } = await recorded(by, { type: 'secret.stored', data }, () =>
        vault.put(name, { value, ...pins }),
      )
      return { ...result, handle: secretHandle(name), ledger }
    },
    async rotate(by, name, value) {
      redactor.register(name, value)
      await known(name)
      const data = { name, fingerprint: await vault.fingerprint(value) }
      const { result, ledger } = await recorded(by, { type: 'secret.rotated', data }, () =>
        vault.rotate(name, value),
      )
      return { secret: result, replaced: true, handle: secretHandle(name), ledger }
    },
    async remove(by, name) {
      await known(name)
      const { ledger } = await recorded(by, { type: 'secret.removed', data: { name } }, () =>
        vault.remove(name),
      )
      return { name, ledger }
    },
    async refresh() {
      for (const { name, value } of await vault.all()) redactor.register(name, value)
    },
  }
}

export function addSecretRoutes(app: App, admin: SecretAdmin): void {
  app.openapi(route(secretRoutes.secrets), async (context) => context.json(await admin.list(), 200))
  app.openapi(route(secretRoutes.storeSecret), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await admin.store(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(secretRoutes.rotateSecret), async (context) => {
    const { name } = context.req.valid('param')
    const { value } = context.req.valid('json')
    return context.json(await admin.rotate(context.get('speaker'), name, value), 200)
  })
  app.openapi(route(secretRoutes.removeSecret), async (context) =>
    context.json(await admin.remove(context.get('speaker'), context.req.valid('param').name), 200),
  )
}
