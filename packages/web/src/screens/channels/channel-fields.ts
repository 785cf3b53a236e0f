/** Owns the fields of the form of a channel: which each kind has, what is wrong with them and what is stored. Pure. */
import {
  type ChannelKindView,
  ChannelName,
  type ChannelSetting,
  type ChannelView,
  channelSettings,
  SecretValue,
  type StoreChannel,
  settingText,
  settingValue,
} from '@countersign/contract'
import { words } from '../../words/channels.tsx'

/** By `name`, `kind`, and the names that the functions below make. */
export type ChannelValues = Readonly<Record<string, string>>

export const settingField = (kind: string, name: string): string => `${kind}/setting/${name}`
export const secretField = (kind: string, name: string): string => `${kind}/secret/${name}`

/** Those of every kind, so that one can be looked at after another. A channel that is there begins as it is. */
export function channelValues(kinds: readonly ChannelKindView[], channel?: ChannelView): ChannelValues {
  const values: Record<string, string> = {
    name: channel?.name ?? '',
    kind: channel?.kind ?? kinds[0]?.kind ?? '',
  }
  for (const { kind, secrets, settings } of kinds) {
    for (const { name } of secrets) values[secretField(kind, name)] = ''
    for (const { name } of channelSettings(settings))
      values[settingField(kind, name)] = channel?.kind === kind ? settingText(channel.settings[name]) : ''
  }
  return values
}

/** Left empty, a channel is called as its kind is. */
export const nameIn = ({ name = '', kind = '' }: ChannelValues): string => name.trim() || kind

export function channelProblems(
  values: ChannelValues,
  kind: ChannelKindView | undefined,
  { taken, kept }: { readonly taken: readonly string[]; readonly kept: boolean },
): Readonly<Record<string, string | undefined>> {
  const problems: Record<string, string | undefined> = {
    name: kept ? undefined : nameProblem(nameIn(values), taken),
  }
  if (!kind) return problems
  for (const { name, optional } of kind.secrets) {
    const field = secretField(kind.kind, name)
    problems[field] = secretProblem(values[field] ?? '', optional || kept)
  }
  for (const setting of channelSettings(kind.settings)) {
    const field = settingField(kind.kind, setting.name)
    problems[field] = settingProblem(setting, values[field] ?? '')
  }
  return problems
}

/** What was left empty is left out: the kind has something usual for it. */
export function storedChannel(values: ChannelValues, kind: ChannelKindView): StoreChannel {
  const settings: Record<string, unknown> = {}
  for (const setting of channelSettings(kind.settings)) {
    const text = (values[settingField(kind.kind, setting.name)] ?? '').trim()
    if (text === '') continue
    const read = settingValue(setting, text)
    if (read.kind === 'value') settings[setting.name] = read.value
  }
  const secrets = kind.secrets.flatMap(({ name }) => {
    const secret = values[secretField(kind.kind, name)] ?? ''
    return secret === '' ? [] : [[name, secret] as const]
  })
  return { kind: kind.kind, settings, secrets: Object.fromEntries(secrets), choices: {} }
}

function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (taken.includes(name)) return words.form.nameTaken
  return ChannelName.safeParse(name).success ? undefined : words.form.nameProblem
}

function secretProblem(secret: string, mayBeEmpty: boolean): string | undefined {
  if (secret === '') return mayBeEmpty ? undefined : words.form.needed
  return SecretValue.safeParse(secret).success ? undefined : words.form.problems.secret
}

function settingProblem(setting: ChannelSetting, text: string): string | undefined {
  if (text.trim() === '') return setting.required ? words.form.needed : undefined
  const read = settingValue(setting, text.trim())
  return read.kind === 'problem' ? words.form.problems[read.expected] : undefined
}
