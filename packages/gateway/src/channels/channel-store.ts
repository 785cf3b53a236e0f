/**
 * Owns the operator's channels as they are kept: settings and choices among their records, secrets in the vault, pinned
 * to a place that is none, so that no tool ever gets one.
 */
import { type ChannelManifest, declaredSecret } from '@countersign/channels'
import {
  Channel,
  type ChannelStored,
  type ChooseChannel,
  CountersignError,
  isPluginChannelKind,
  type OperatorId,
  programChannel,
  type StoreChannel,
  usualChoices,
} from '@countersign/contract'
import type { RecordTransaction, RecordTransactions } from '@countersign/kernel'
import { z } from 'zod'
import { type AccountSecrets, isKept, putAccount, removePassword } from '../accounts/account-store.ts'
import type { ActingOperator } from '../server/secrets.ts'
import { forgetRows } from './bound-account.ts'
import type { ChannelKinds } from './channel-kinds.ts'

export interface ChannelStoreParts {
  readonly records: Pick<RecordTransactions, 'read' | 'change'>
  readonly secrets: AccountSecrets
  readonly secretValue: (name: string) => Promise<string | undefined>
  readonly kinds: Pick<ChannelKinds, 'all' | 'find' | 'broughtAt'>
}

export interface ChannelStore {
  list(operator: OperatorId): Promise<Channel[]>
  store(by: ActingOperator, name: string, given: StoreChannel): Promise<ChannelStored>
  choose(by: ActingOperator, name: string, choices: ChooseChannel): Promise<ChannelStored>
  /** With its secrets, its people and what they wrote that waits. */
  remove(by: ActingOperator, name: string): Promise<number>
  secretsOf(channel: Channel): Promise<Readonly<Record<string, string>>>
}

const collection = 'channels'
const mostChannels = 20

const secretName = (channel: string, secret: string): string => `channel.${channel}-${secret.toLowerCase()}`

/** Nothing is sent there, and no tool has this name. */
function pinsFor(channel: string) {
  return {
    destinations: [
      { scheme: 'https' as const, host: `${channel.replaceAll('_', '-')}.channel.invalid`, port: 443 },
    ],
    tools: ['channel_process'],
  }
}

export function createChannelStore(parts: ChannelStoreParts): ChannelStore {
  const { records, secrets, secretValue, kinds } = parts
  const list = (operator: OperatorId) => records.read(operator, channelsIn)

  async function known(operator: OperatorId, name: string): Promise<Channel> {
    const channel = (await list(operator)).find((each) => each.name === name)
    if (channel) return channel
    throw new CountersignError('not_found', `There is no channel ${name}.`, {
      next: 'See them with `countersign channel list`.',
    })
  }

  async function put(by: ActingOperator, channel: Channel, replaced: boolean): Promise<ChannelStored> {
    const { ledger } = await records.change(by.operator, async (unit) => {
      await putAccount(unit.records, collection, channel)
      const { name, kind, settings, choices } = channel
      unit.record({
        type: 'channel.stored',
        actor: by.actor,
        data: { name, kind, settings: JSON.stringify(settings).slice(0, 1_000), ...choices, replaced },
      })
      unit.emit({ type: 'channels.changed' })
    })
    return { channel, replaced, ledger }
  }

  return {
    list,
    async store(by, name, given) {
      if (name === programChannel)
        throw new CountersignError('usage', `${name} is the name of no channel: programs speak under it.`, {
          next: 'Choose another name.',
        })
      const before = (await list(by.operator)).find((each) => each.name === name)
      const manifest = requireKind(given.kind)
      requireRoom(await list(by.operator), before)
      if (before && before.kind !== given.kind)
        throw new CountersignError('conflict', `${name} is a channel of another kind: ${before.kind}.`, {
          next: 'Remove it first, or choose another name.',
        })
      const settings = settingsFor(manifest, given.settings)
      const isOtherCode = before !== undefined && before.broughtAt !== kinds.broughtAt(given.kind)
      await storeSecrets(by, name, { manifest, given: given.secrets, isOtherCode })
      const choices = { ...usualChoices, ...before?.choices, ...given.choices }
      const channel = { name, kind: given.kind, settings, choices, ...broughtNow(given.kind) }
      return put(by, Channel.parse(channel), before !== undefined)
    },
    async choose(by, name, choices) {
      const channel = await known(by.operator, name)
      // Whoever lets it go on means the plugin that is there now.
      const brought = choices.paused === false ? broughtNow(channel.kind) : {}
      return put(
        by,
        Channel.parse({ ...channel, choices: { ...channel.choices, ...choices }, ...brought }),
        true,
      )
    },
    async remove(by, name) {
      const channel = await known(by.operator, name)
      const { ledger } = await records.change(by.operator, async (unit) => {
        const row = await unit.records.get(collection, name)
        if (row) await unit.records.remove(collection, name, row.version)
        await forgetRows(unit, name)
        unit.record({ type: 'channel.removed', actor: by.actor, data: { name, kind: channel.kind } })
        unit.emit({ type: 'channels.changed' })
      })
      for (const secret of secretsOfKind(channel.kind))
        await removePassword(by, secretName(name, secret), secrets)
      return ledger
    },
    async secretsOf({ name, kind }) {
      const values: Record<string, string> = {}
      for (const secret of kinds.find(kind)?.secrets ?? []) {
        const value = await secretValue(secretName(name, secret.name))
        if (value !== undefined) values[secret.name] = value
      }
      return values
    },
  }

  /** Also where the plugin that brought it is gone. */
  function secretsOfKind(kind: string): readonly string[] {
    const names = kinds.find(kind)?.secrets.map((secret) => secret.name)
    return names ?? (isPluginChannelKind(kind) ? [declaredSecret] : [])
  }

  function broughtNow(kind: string): Pick<Channel, 'broughtAt'> {
    const broughtAt = kinds.broughtAt(kind)
    return broughtAt === undefined ? {} : { broughtAt }
  }

  function requireKind(kind: string): ChannelManifest {
    const manifest = kinds.find(kind)
    if (manifest) return manifest
    throw new CountersignError('usage', `There is no kind of channel named ${kind}.`, {
      next: `There are: ${kinds
        .all()
        .map((each) => each.kind)
        .join(', ')}.`,
    })
  }

  /** Those that were given; the others must be kept already, and for the same code, or be optional. */
  async function storeSecrets(
    by: ActingOperator,
    name: string,
    {
      manifest,
      given,
      isOtherCode,
    }: {
      readonly manifest: ChannelManifest
      readonly given: Readonly<Record<string, string>>
      readonly isOtherCode: boolean
    },
  ): Promise<void> {
    const unknown = Object.keys(given).find((key) => !manifest.secrets.some((secret) => secret.name === key))
    if (unknown !== undefined)
      throw new CountersignError('usage', `A channel of ${manifest.title} has no secret ${unknown}.`, {
        next: `It has: ${manifest.secrets.map((secret) => secret.name).join(', ')}.`,
      })
    for (const { name: secret, label, optional } of manifest.secrets) {
      const kept = secretName(name, secret)
      const value = given[secret]
      if (value !== undefined) {
        const description = `${label} of the channel ${name}`.slice(0, 500)
        await secrets.store(by, kept, { value, description, ...pinsFor(name) })
      } else if (!optional && (isOtherCode || !(await isKept(kept, secrets))))
        throw new CountersignError('usage', `${manifest.title} needs its ${label}.`, {
          next: `Give it: \`countersign channel add ${name} --kind ${manifest.kind}\` asks for it.`,
        })
    }
  }
}

export async function channelsIn({ records }: Pick<RecordTransaction, 'records'>): Promise<Channel[]> {
  const { records: rows } = await records.list(collection, { limit: mostChannels })
  return rows
    .map(({ data }) => Channel.parse(data))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

function requireRoom(known: readonly Channel[], before: Channel | undefined): void {
  if (before || known.length < mostChannels) return
  throw new CountersignError('limit_reached', `There are ${mostChannels} channels already.`, {
    next: 'Remove one with `countersign channel remove`.',
  })
}

function settingsFor({ settings, title }: ChannelManifest, given: unknown): Channel['settings'] {
  const read = settings.safeParse(given)
  if (read.success) return read.data
  throw new CountersignError(
    'usage',
    `The settings of ${title} are not right: ${z.prettifyError(read.error)}`,
    {
      next: 'See what it needs with `countersign channel kinds`.',
    },
  )
}
