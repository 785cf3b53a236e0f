import type { JsonObject, JsonValue } from '@countersign/contract'
import { type EntryFacts, type EntrySentence, listOf, textOf } from '../ledger/sentence-parts.ts'
import type { systemSentences } from '../ledger/system-sentences.ts'
import { countText, quoted, sentenceBy } from './sentence-parts.ts'

export const germanSystem: Readonly<Record<keyof typeof systemSentences, EntrySentence>> = {
  'onboarding.step': sentenceBy(
    ({ data }) =>
      `den Einrichtungsschritt ${textOf(data['step'])} ${stepWords[textOf(data['state'])] ?? 'erledigt'}`,
  ),
  'autonomy.changed': sentenceBy(
    ({ data }) =>
      `die Stufe der Selbstständigkeit von ${textOf(data['before'])} auf ${textOf(data['after'])} geändert`,
  ),
  'device.added': sentenceBy(
    ({ data }) => `dem Gerät ${quoted(textOf(data['name']))} vertraut${reachOf(data['reach'])}`,
  ),
  'device.limited': sentenceBy(
    ({ data }) => `das Gerät ${quoted(textOf(data['name']))} eingeschränkt${reachOf(data['reach'])}`,
  ),
  'device.renamed': sentenceBy(({ data }) => `ein Gerät in ${quoted(textOf(data['name']))} umbenannt`),
  'device.revoked': sentenceBy(({ data }) => `das Gerät ${quoted(textOf(data['name']))} widerrufen`),
  'device.unchanged': ({ data }) =>
    `Die Änderung eines Geräts in Eintrag ${textOf(data['entry'])} ist fehlgeschlagen. Nichts wurde geändert.`,
  'node.added': sentenceBy(
    ({ data }) => `den Node ${quoted(textOf(data['name']))}${platformOf(data)} Aufrufe ausführen lassen`,
  ),
  'node.renamed': sentenceBy(({ data }) => `einen Node in ${quoted(textOf(data['name']))} umbenannt`),
  'node.revoked': sentenceBy(({ data }) => `den Node ${quoted(textOf(data['name']))} widerrufen`),
  'node.requested': ({ data }) =>
    `Der Rechner ${quoted(textOf(data['name']))}${platformOf(data)} hat darum gebeten, Aufrufe auszuführen.`,
  'node.refused': sentenceBy(
    ({ data }) => `dem Rechner ${quoted(textOf(data['name']))}${platformOf(data)} keine Aufrufe erlaubt`,
  ),
  'node.limited': sentenceBy(({ data }) => {
    const name = quoted(textOf(data['name']))
    const off = listOf(data['off'])
    return off.length === 0
      ? `beim Node ${name} alles eingeschaltet`
      : `beim Node ${name} ausgeschaltet: ${off.join(', ')}`
  }),
  'node.complained': ({ data }) =>
    `Der Node ${quoted(textOf(data['name']))} sagt, dass das Ledger nicht das ist, das er vorher gesehen hat: ${textOf(data['reason'])}.`,
  'ledger.alarm_raised': ({ data }) =>
    `Der Zeuge ${quoted(textOf(data['name']))} hat ${textOf(data['size'])} Einträge gesehen, die nicht in diesem Ledger stehen. Von da an liefen nur noch Aufrufe, die nichts ändern.`,
  'ledger.alarm_cleared': sentenceBy('den Alarm des Ledgers aufgehoben'),
  'origin.added': sentenceBy(({ data }) => `Passkeys unter ${textOf(data['origin'])} zugelassen`),
  'origin.revoked': sentenceBy(
    ({ data }) => `Passkeys unter ${textOf(data['origin'])} nicht mehr zugelassen`,
  ),
  'access.locked_out': ({ data }) =>
    `Der Absender ${quoted(textOf(data['sender']))} wurde nach ${textOf(data['failures'])} gescheiterten Versuchen ausgesperrt.`,
  'passkey.added': sentenceBy(({ data }) => `den Passkey ${quoted(textOf(data['name']))} hinzugefügt`),
  'passkey.revoked': sentenceBy(({ data }) => `den Passkey ${quoted(textOf(data['name']))} widerrufen`),
  'passkey.requested': sentenceBy(
    ({ data }) =>
      `um die Aufnahme des Passkeys ${quoted(textOf(data['name']))} unter ${textOf(data['site'])} gebeten`,
  ),
  'passkey.refused': sentenceBy(({ data }) => `den Passkey ${quoted(textOf(data['name']))} abgelehnt`),
  'pairing.requested': ({ data }) =>
    `Das Gerät ${quoted(textOf(data['name']))}${platformOf(data)} hat um Kopplung gebeten${reachOf(data['reach'])}.`,
  'pairing.refused': sentenceBy(
    ({ data }) => `die Kopplung des Geräts ${quoted(textOf(data['name']))}${platformOf(data)} abgelehnt`,
  ),
  'push.subscribed': sentenceBy('Benachrichtigungen für ein Gerät eingeschaltet'),
  'push.preferred': sentenceBy('gewählt, worüber ein Gerät benachrichtigt wird'),
  'conversations.changed': sentenceBy(
    ({ data }) =>
      `festgelegt, dass ein Gespräch nach ${textOf(data['silenceMinutes'])} Minuten Stille endet und ein Prompt ${textOf(data['summaries'])} Zusammenfassungen enthält`,
  ),
  'time_zone.changed': sentenceBy(({ data }) => `die Zeitzone auf ${textOf(data['zone'])} geändert`),
  'push.unsubscribed': sentenceBy('Benachrichtigungen für ein Gerät ausgeschaltet'),
  'secret.stored': sentenceBy(({ data }) => `das Geheimnis ${textOf(data['name'])} gespeichert`),
  'secret.rotated': sentenceBy(({ data }) => `den Wert des Geheimnisses ${textOf(data['name'])} geändert`),
  'secret.removed': sentenceBy(({ data }) => `das Geheimnis ${textOf(data['name'])} entfernt`),
  'secret.unchanged': ({ data }) =>
    `Die Änderung des Geheimnisses ${textOf(data['name'])} in Eintrag ${textOf(data['entry'])} ist fehlgeschlagen. Nichts wurde geändert.`,
  'calendar.account_stored': sentenceBy(
    ({ data }) => `das Kalenderkonto ${textOf(data['name'])} eingerichtet`,
  ),
  'calendar.account_removed': sentenceBy(({ data }) => `das Kalenderkonto ${textOf(data['name'])} entfernt`),
  'calendar.conflict': ({ data }) =>
    `Ein Eintrag wurde hier und im Kalenderkonto ${textOf(data['account'])} geändert: ${textOf(data['record'])}.`,
  'calendar.conflict_settled': sentenceBy(
    ({ data }) =>
      `einen Konflikt im Kalender gelöst und ${data['keep'] === 'mine' ? 'das Eigene' : 'das vom Server'} behalten`,
  ),
  'mail.searchable_set': sentenceBy(
    ({ data }) =>
      `die E-Mails von ${textOf(data['name'])} ${data['searchable'] === true ? 'durchsuchbar gemacht' : 'aus der Suche genommen'}`,
  ),
  'mail.account_stored': sentenceBy(({ data }) => `das E-Mail-Konto ${textOf(data['address'])} eingerichtet`),
  'mail.account_signed_in': sentenceBy(
    ({ data }) => `sich beim E-Mail-Konto ${textOf(data['address'])} angemeldet`,
  ),
  'mail.account_removed': sentenceBy(({ data }) => `das E-Mail-Konto ${textOf(data['address'])} entfernt`),
  'extension.signed_in': sentenceBy(
    ({ data }) => `sich beim Server ${textOf(data['name'])} angemeldet, bei ${textOf(data['provider'])}`,
  ),
  'extension.signed_out': sentenceBy(({ data }) => `sich beim Server ${textOf(data['name'])} abgemeldet`),
  'record.added': record('hinzugefügt'),
  'record.changed': record('geändert'),
  'record.removed': record('entfernt'),
  'tool.switched': sentenceBy(
    ({ data }) =>
      `${textOf(data['name'])}${severalOf(listOf(data['switches']))} ${data['enabled'] === true ? 'eingeschaltet' : 'ausgeschaltet'}`,
  ),
  'finding.repaired': sentenceBy(({ data }) => `behoben, was eine Prüfung fand: ${textOf(data['id'])}`),
  'part.installed': sentenceBy(
    ({ data }) =>
      `den Baustein ${[textOf(data['name']), textOf(data['version'])].join(' ').trimEnd()} installiert`,
  ),
  'provider.added': sentenceBy(
    ({ data }) => `den Anbieter ${textOf(data['name'])}${kindOf(data)} hinzugefügt`,
  ),
  'provider.changed': sentenceBy(
    ({ data }) =>
      `den Anbieter ${textOf(data['name'])}${data['keyChanged'] === true ? ' und seinen Schlüssel' : ''} geändert`,
  ),
  'provider.removed': sentenceBy(({ data }) => `den Anbieter ${textOf(data['name'])} entfernt`),
  'route.changed': sentenceBy(
    ({ data }) => `für ${textOf(data['purpose'])} ${routeOf(data['after'])} gewählt`,
  ),
  'model.overridden': sentenceBy(({ data }) => `die Angaben zum Modell ${textOf(data['model'])} geändert`),
  'model.restored': sentenceBy(
    ({ data }) => `die Angaben zum Modell ${textOf(data['model'])} wiederhergestellt`,
  ),
  'catalogue.refreshed': sentenceBy('den Modellkatalog aktualisiert'),
}

const stepWords: Readonly<Record<string, string>> = { done: 'abgeschlossen', skipped: 'übersprungen' }

/** What a device of that reach may do. */
const reachWords: Readonly<Record<string, string>> = {
  0: ', nur zum Ansehen',
  2: ', mit Entscheidungen über alles, was in deiner Hand bleibt',
  3: ', mit Entscheidungen über alles außer kritischen Aktionen',
}

function reachOf(reach: JsonValue | undefined): string {
  return reachWords[textOf(reach)] ?? ''
}

function platformOf(data: JsonObject): string {
  const platform = textOf(data['platform'])
  return platform === '' ? '' : ` (${platform})`
}

function record(participle: string): EntrySentence {
  return sentenceBy(({ data }: EntryFacts) => {
    const title = textOf(data['title'])
    const what = title === '' ? `den Datensatz ${textOf(data['id'])}` : quoted(title)
    return `${what} in ${textOf(data['collection'])} ${participle}`
  })
}

function severalOf(switches: readonly string[]): string {
  return switches.length > 1 ? ` (${countText(switches.length, 'Schalter', 'Schalter')})` : ''
}

function kindOf(data: JsonObject): string {
  const kind = textOf(data['kind'])
  return kind === '' || kind === textOf(data['name']) ? '' : ` (${kind})`
}

function routeOf(after: JsonValue | undefined): string {
  if (typeof after !== 'object' || after === null || Array.isArray(after)) return 'die konfigurierte Route'
  const models = listOf(after['models'])
  return models.length > 0 ? models.join(', dann ') : textOf(after['strategy']) || 'eine andere Route'
}
