/** The sentences of the house: secrets, records, tools, providers, models and parts. */
import type { JsonObject, JsonValue } from '@countersign/contract'
import { count, did, list, quoted, type Sentence, type Told, text } from './telling.ts'

export const houseSentences: Readonly<Record<string, Sentence>> = {
  'onboarding.step': did(
    ({ data }) => `${text(data['state']) || 'settled'} the setup step ${text(data['step'])}`,
  ),
  'autonomy.changed': did(
    ({ data }) => `changed the autonomy from ${text(data['before'])} to ${text(data['after'])}`,
  ),
  'device.added': did(
    ({ data }) => `trusted the device ${quoted(text(data['name']))} ${reachOf(data['reach'])}`,
  ),
  'device.limited': did(
    ({ data }) => `limited the device ${quoted(text(data['name']))} ${reachOf(data['reach'])}`,
  ),
  'device.renamed': did(({ data }) => `renamed a device to ${quoted(text(data['name']))}`),
  'device.revoked': did(({ data }) => `revoked the device ${quoted(text(data['name']))}`),
  'device.unchanged': ({ data }) =>
    `The change of a device in entry ${text(data['entry'])} failed, and nothing was changed.`,
  'passkey.added': did(({ data }) => `added the passkey ${quoted(text(data['name']))}`),
  'passkey.revoked': did(({ data }) => `revoked the passkey ${quoted(text(data['name']))}`),
  'pairing.requested': ({ data }) =>
    `The device ${quoted(text(data['name']))}${platformOf(data)} asked to be trusted ${reachOf(data['reach'])}.`,
  'pairing.refused': did(
    ({ data }) => `refused to trust the device ${quoted(text(data['name']))}${platformOf(data)}`,
  ),
  'push.subscribed': did('let notifications come to a device'),
  'push.unsubscribed': did('ended the notifications to a device'),
  'secret.stored': did(({ data }) => `stored the secret ${text(data['name'])}`),
  'secret.rotated': did(({ data }) => `gave the secret ${text(data['name'])} another value`),
  'secret.removed': did(({ data }) => `removed the secret ${text(data['name'])}`),
  'secret.unchanged': ({ data }) =>
    `The change of the secret ${text(data['name'])} in entry ${text(data['entry'])} failed, and nothing was changed.`,
  'record.added': record('added'),
  'record.changed': record('changed'),
  'record.removed': record('removed'),
  'tool.switched': did(
    ({ data }) =>
      `switched ${text(data['name'])} ${data['enabled'] === true ? 'on' : 'off'}${severalOf(list(data['switches']))}`,
  ),
  'part.installed': did(({ data }) =>
    `installed the part ${text(data['name'])} ${text(data['version'])}`.trimEnd(),
  ),
  'provider.added': did(({ data }) => `added the provider ${text(data['name'])}${kindOf(data)}`),
  'provider.changed': did(
    ({ data }) =>
      `changed the provider ${text(data['name'])}${data['keyChanged'] === true ? ' and its key' : ''}`,
  ),
  'provider.removed': did(({ data }) => `removed the provider ${text(data['name'])}`),
  'route.changed': did(({ data }) => `chose ${routeOf(data['after'])} for ${text(data['purpose'])}`),
  'model.overridden': did(({ data }) => `changed what is known of the model ${text(data['model'])}`),
  'model.restored': did(({ data }) => `took back the changes to the model ${text(data['model'])}`),
  'catalogue.refreshed': did('fetched the newest catalogue of models'),
}

/** What a device of that reach may do. */
const reachWords: Readonly<Record<string, string>> = {
  0: 'to look',
  2: 'to decide up to T2',
  3: 'to decide and seal T3',
}

function reachOf(reach: JsonValue | undefined): string {
  return reachWords[text(reach)] ?? ''
}

function platformOf(data: JsonObject): string {
  const platform = text(data['platform'])
  return platform === '' ? '' : ` (${platform})`
}

function record(verb: string): Sentence {
  return did(({ data }: Told) => {
    const title = text(data['title'])
    return `${verb} ${title === '' ? `the record ${text(data['id'])}` : quoted(title)} in ${text(data['collection'])}`
  })
}

function severalOf(switches: readonly string[]): string {
  return switches.length > 1 ? ` (${count(switches.length, 'switch', 'switches')})` : ''
}

function kindOf(data: JsonObject): string {
  const kind = text(data['kind'])
  return kind === '' || kind === text(data['name']) ? '' : ` (${kind})`
}

function routeOf(after: JsonValue | undefined): string {
  if (typeof after !== 'object' || after === null || Array.isArray(after))
    return 'what the configuration says'
  const models = list(after['models'])
  return models.length > 0 ? models.join(', then ') : text(after['strategy']) || 'another route'
}
