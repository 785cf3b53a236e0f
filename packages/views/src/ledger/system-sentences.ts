/** Sentences about setup, devices, secrets, records, tools, providers, models and parts. */
import type { JsonObject, JsonValue } from '@countersign/contract'
import {
  countText,
  type EntryFacts,
  type EntrySentence,
  listOf,
  quoted,
  sentenceBy,
  textOf,
} from './sentence-parts.ts'

export const systemSentences = {
  'onboarding.step': sentenceBy(
    ({ data }) => `${stepWords[textOf(data['state'])] ?? 'settled'} the setup step ${textOf(data['step'])}`,
  ),
  'autonomy.changed': sentenceBy(
    ({ data }) => `changed the autonomy from ${textOf(data['before'])} to ${textOf(data['after'])}`,
  ),
  'device.added': sentenceBy(
    ({ data }) => `trusted the device ${quoted(textOf(data['name']))} ${reachOf(data['reach'])}`,
  ),
  'device.limited': sentenceBy(
    ({ data }) => `limited the device ${quoted(textOf(data['name']))} ${reachOf(data['reach'])}`,
  ),
  'device.renamed': sentenceBy(({ data }) => `renamed a device to ${quoted(textOf(data['name']))}`),
  'device.revoked': sentenceBy(({ data }) => `revoked the device ${quoted(textOf(data['name']))}`),
  'device.unchanged': ({ data }) =>
    `The change of a device in entry ${textOf(data['entry'])} failed. Nothing was changed.`,
  'node.added': sentenceBy(
    ({ data }) => `let the node ${quoted(textOf(data['name']))}${platformOf(data)} run calls`,
  ),
  'node.renamed': sentenceBy(({ data }) => `renamed a node to ${quoted(textOf(data['name']))}`),
  'node.revoked': sentenceBy(({ data }) => `revoked the node ${quoted(textOf(data['name']))}`),
  'node.requested': ({ data }) =>
    `The computer ${quoted(textOf(data['name']))}${platformOf(data)} asked to run calls.`,
  'node.refused': sentenceBy(
    ({ data }) => `refused to let the computer ${quoted(textOf(data['name']))}${platformOf(data)} run calls`,
  ),
  'node.limited': sentenceBy(({ data }) => {
    const name = quoted(textOf(data['name']))
    const off = listOf(data['off'])
    return off.length === 0
      ? `switched everything of the node ${name} on`
      : `switched off ${off.join(', ')} of the node ${name}`
  }),
  'node.complained': ({ data }) =>
    `The node ${quoted(textOf(data['name']))} says that the ledger is not the one that it saw before: ${textOf(data['reason'])}.`,
  'ledger.alarm_raised': ({ data }) =>
    `The witness ${quoted(textOf(data['name']))} saw ${textOf(data['size'])} entries that are not in this ledger. Nothing but looks ran from then on.`,
  'ledger.alarm_cleared': sentenceBy('cleared the alarm of the ledger'),
  'origin.added': sentenceBy(({ data }) => `accepted passkeys at ${textOf(data['origin'])}`),
  'origin.revoked': sentenceBy(({ data }) => `stopped accepting passkeys at ${textOf(data['origin'])}`),
  'access.locked_out': ({ data }) =>
    `The sender ${quoted(textOf(data['sender']))} was locked out after ${textOf(data['failures'])} failed attempts to get in.`,
  'passkey.added': sentenceBy(({ data }) => `added the passkey ${quoted(textOf(data['name']))}`),
  'passkey.revoked': sentenceBy(({ data }) => `revoked the passkey ${quoted(textOf(data['name']))}`),
  'passkey.requested': sentenceBy(
    ({ data }) =>
      `asked that the passkey ${quoted(textOf(data['name']))} be added at ${textOf(data['site'])}`,
  ),
  'passkey.refused': sentenceBy(({ data }) => `refused the passkey ${quoted(textOf(data['name']))}`),
  'pairing.requested': ({ data }) =>
    `The device ${quoted(textOf(data['name']))}${platformOf(data)} asked to be trusted ${reachOf(data['reach'])}.`,
  'pairing.refused': sentenceBy(
    ({ data }) => `refused to trust the device ${quoted(textOf(data['name']))}${platformOf(data)}`,
  ),
  'push.subscribed': sentenceBy('turned on notifications for a device'),
  'push.preferred': sentenceBy('chose what a device is notified of'),
  'conversations.changed': sentenceBy(
    ({ data }) =>
      `set that a conversation ends after ${textOf(data['silenceMinutes'])} minutes of silence, and a prompt holds ${textOf(data['summaries'])} summaries`,
  ),
  'time_zone.changed': sentenceBy(({ data }) => `changed the time zone to ${textOf(data['zone'])}`),
  'push.unsubscribed': sentenceBy('turned off notifications for a device'),
  'secret.stored': sentenceBy(({ data }) => `stored the secret ${textOf(data['name'])}`),
  'secret.rotated': sentenceBy(({ data }) => `changed the value of the secret ${textOf(data['name'])}`),
  'secret.removed': sentenceBy(({ data }) => `removed the secret ${textOf(data['name'])}`),
  'secret.unchanged': ({ data }) =>
    `The change of the secret ${textOf(data['name'])} in entry ${textOf(data['entry'])} failed. Nothing was changed.`,
  'calendar.account_stored': sentenceBy(({ data }) => `set up the calendar account ${textOf(data['name'])}`),
  'calendar.account_removed': sentenceBy(
    ({ data }) => `removed the calendar account ${textOf(data['name'])}`,
  ),
  'calendar.conflict': ({ data }) =>
    `One entry was changed here and in the calendar account ${textOf(data['account'])}: ${textOf(data['record'])}.`,
  'calendar.conflict_settled': sentenceBy(
    ({ data }) =>
      `settled a conflict of calendars and kept ${data['keep'] === 'mine' ? 'what is here' : 'what the server has'}`,
  ),
  'mail.searchable_set': sentenceBy(
    ({ data }) =>
      `made the e-mails of ${textOf(data['name'])} ${data['searchable'] === true ? 'searchable' : 'not searchable'}`,
  ),
  'mail.account_stored': sentenceBy(({ data }) => `set up the e-mail account ${textOf(data['address'])}`),
  'mail.account_signed_in': sentenceBy(
    ({ data }) => `signed in to the e-mail account ${textOf(data['address'])}`,
  ),
  'mail.account_removed': sentenceBy(({ data }) => `removed the e-mail account ${textOf(data['address'])}`),
  'extension.signed_in': sentenceBy(
    ({ data }) => `signed in to the server ${textOf(data['name'])} at ${textOf(data['provider'])}`,
  ),
  'extension.signed_out': sentenceBy(({ data }) => `signed out of the server ${textOf(data['name'])}`),
  'record.added': record('added'),
  'record.changed': record('changed'),
  'record.removed': record('removed'),
  'tool.switched': sentenceBy(
    ({ data }) =>
      `switched ${textOf(data['name'])} ${data['enabled'] === true ? 'on' : 'off'}${severalOf(listOf(data['switches']))}`,
  ),
  'finding.repaired': sentenceBy(({ data }) => `repaired what a check found: ${textOf(data['id'])}`),
  'part.installed': sentenceBy(({ data }) =>
    `installed the part ${textOf(data['name'])} ${textOf(data['version'])}`.trimEnd(),
  ),
  'provider.added': sentenceBy(({ data }) => `added the provider ${textOf(data['name'])}${kindOf(data)}`),
  'provider.changed': sentenceBy(
    ({ data }) =>
      `changed the provider ${textOf(data['name'])}${data['keyChanged'] === true ? ' and its key' : ''}`,
  ),
  'provider.removed': sentenceBy(({ data }) => `removed the provider ${textOf(data['name'])}`),
  'route.changed': sentenceBy(({ data }) => `chose ${routeOf(data['after'])} for ${textOf(data['purpose'])}`),
  'model.overridden': sentenceBy(({ data }) => `changed the data of the model ${textOf(data['model'])}`),
  'model.restored': sentenceBy(({ data }) => `restored the data of the model ${textOf(data['model'])}`),
  'catalogue.refreshed': sentenceBy('refreshed the model catalogue'),
} satisfies Readonly<Record<string, EntrySentence>>

const stepWords: Readonly<Record<string, string>> = { done: 'completed', skipped: 'skipped' }

/** What a device of that reach may do. */
const reachWords: Readonly<Record<string, string>> = {
  0: 'to view',
  2: 'to decide what stays in your hands',
  3: 'to decide all but critical actions',
}

function reachOf(reach: JsonValue | undefined): string {
  return reachWords[textOf(reach)] ?? ''
}

function platformOf(data: JsonObject): string {
  const platform = textOf(data['platform'])
  return platform === '' ? '' : ` (${platform})`
}

function record(verb: string): EntrySentence {
  return sentenceBy(({ data }: EntryFacts) => {
    const title = textOf(data['title'])
    return `${verb} ${title === '' ? `the record ${textOf(data['id'])}` : quoted(title)} in ${textOf(data['collection'])}`
  })
}

function severalOf(switches: readonly string[]): string {
  return switches.length > 1 ? ` (${countText(switches.length, 'switch', 'switches')})` : ''
}

function kindOf(data: JsonObject): string {
  const kind = textOf(data['kind'])
  return kind === '' || kind === textOf(data['name']) ? '' : ` (${kind})`
}

function routeOf(after: JsonValue | undefined): string {
  if (typeof after !== 'object' || after === null || Array.isArray(after)) return 'the configured route'
  const models = listOf(after['models'])
  return models.length > 0 ? models.join(', then ') : textOf(after['strategy']) || 'another route'
}
