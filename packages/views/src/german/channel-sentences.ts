import type { channelSentences } from '../ledger/channel-sentences.ts'
import { type EntryFacts, type EntrySentence, textOf } from '../ledger/sentence-parts.ts'
import { quoted, sentenceBy } from './sentence-parts.ts'

const personOf = ({ data }: EntryFacts): string => {
  const id = `${textOf(data['channel'])}/${textOf(data['peer'])}`
  return data['name'] === undefined ? id : `${quoted(textOf(data['name']))} (${id})`
}

const message =
  (became: string): EntrySentence =>
  ({ data }) =>
    `Eine Nachricht für den Kanal ${textOf(data['channel'])} ${became}`

export const germanChannels: Readonly<Record<keyof typeof channelSentences, EntrySentence>> = {
  'channel.stored': sentenceBy(
    ({ data }) =>
      `den Kanal ${textOf(data['name'])} ${data['replaced'] === true ? 'geändert' : 'hinzugefügt'}`,
  ),
  'channel.removed': sentenceBy(
    ({ data }) => `den Kanal ${textOf(data['name'])} mit seinen Personen entfernt`,
  ),
  'channel.tested': sentenceBy(({ data }) => `dem Kanal ${textOf(data['channel'])} eine Probe geschickt`),
  'channel.held_sent': sentenceBy(
    ({ data }) => `eine zurückgehaltene Antwort für ${textOf(data['channel'])} freigegeben`,
  ),
  'channel.held_dropped': sentenceBy(
    ({ data }) => `eine zurückgehaltene Antwort für ${textOf(data['channel'])} verworfen`,
  ),
  'channel.message_expired': message('wurde nicht rechtzeitig verschickt.'),
  'channel.message_refused': message('wurde von der Plattform abgelehnt.'),
  'channel.message_unknown': message('ist vielleicht angekommen, vielleicht nicht.'),
  'channel.message_aside': ({ data }) =>
    `Eine Nachricht aus dem Kanal ${textOf(data['channel'])} war nicht zu bearbeiten und wurde beiseitegelegt.`,
  'channel.account_changed': ({ data }) =>
    `Der Kanal ${textOf(data['name'])} ist jetzt ein anderes Konto, und niemand ist dort mehr eingelassen.`,
  'channel.connected': ({ data }) => `Der Kanal ${textOf(data['name'])} ist verbunden.`,
  'channel.disconnected': ({ data }) => `Der Kanal ${textOf(data['name'])} ist nicht mehr verbunden.`,
  'channel.rejected': ({ data }) => `Die Plattform weist den Kanal ${textOf(data['name'])} zurück.`,
  'channel.plugin_gone': ({ data }) =>
    `Die Erweiterung, die den Kanal ${textOf(data['name'])} mitbrachte, ist entfernt, deshalb ruht der Kanal.`,
  'channel.aside_again': sentenceBy(
    ({ data }) =>
      `eine beiseitegelegte Nachricht aus ${textOf(data['channel'])} noch einmal bearbeiten lassen`,
  ),
  'channel.aside_left': sentenceBy(
    ({ data }) => `eine beiseitegelegte Nachricht aus ${textOf(data['channel'])} liegen gelassen`,
  ),
  'peer.asked': (entry) => `Jemand möchte eingelassen werden: ${personOf(entry)}.`,
  'peer.admitted': sentenceBy((entry) => `${personOf(entry)} als ${textOf(entry.data['role'])} eingelassen`),
  'peer.limited': sentenceBy((entry) => `die Grenzen von ${personOf(entry)} geändert`),
  'peer.blocked': sentenceBy((entry) => `${personOf(entry)} gesperrt`),
  'peer.removed': sentenceBy((entry) => `${personOf(entry)} entfernt`),
}
