/** Sentences about channels and the people who write there. */
import { type EntryFacts, type EntrySentence, quoted, sentenceBy, textOf } from './sentence-parts.ts'

/** What they call themselves, and by which id they are known. */
const personOf = ({ data }: EntryFacts): string => {
  const id = `${textOf(data['channel'])}/${textOf(data['peer'])}`
  return data['name'] === undefined ? id : `${quoted(textOf(data['name']))} (${id})`
}

const message =
  (became: string): EntrySentence =>
  ({ data }) =>
    `A message for the channel ${textOf(data['channel'])} ${became}`

export const channelSentences = {
  'channel.stored': sentenceBy(
    ({ data }) => `${data['replaced'] === true ? 'changed' : 'added'} the channel ${textOf(data['name'])}`,
  ),
  'channel.removed': sentenceBy(({ data }) => `removed the channel ${textOf(data['name'])} with its people`),
  'channel.tested': sentenceBy(({ data }) => `sent a test to the channel ${textOf(data['channel'])}`),
  'channel.held_sent': sentenceBy(({ data }) => `let a held answer go to ${textOf(data['channel'])}`),
  'channel.held_dropped': sentenceBy(({ data }) => `dropped a held answer for ${textOf(data['channel'])}`),
  'channel.message_expired': message('was not sent in time.'),
  'channel.message_refused': message('was refused by the platform.'),
  'channel.message_unknown': message('may or may not have arrived.'),
  'channel.message_aside': ({ data }) =>
    `A message that came in by the channel ${textOf(data['channel'])} could not be handled and was put aside.`,
  'channel.account_changed': ({ data }) =>
    `The channel ${textOf(data['name'])} is another account now, and nobody is let in there any more.`,
  'channel.connected': ({ data }) => `The channel ${textOf(data['name'])} is connected.`,
  'channel.disconnected': ({ data }) => `The channel ${textOf(data['name'])} is not connected any more.`,
  'channel.rejected': ({ data }) => `The platform of the channel ${textOf(data['name'])} rejects it.`,
  'channel.plugin_gone': ({ data }) =>
    `The plugin that brought the channel ${textOf(data['name'])} was removed, so the channel was paused.`,
  'channel.aside_again': sentenceBy(
    ({ data }) => `had a message that was put aside tried again in ${textOf(data['channel'])}`,
  ),
  'channel.aside_left': sentenceBy(
    ({ data }) => `left a message that was put aside in ${textOf(data['channel'])}`,
  ),
  'peer.asked': (entry) => `Somebody asks to be let in: ${personOf(entry)}.`,
  'peer.admitted': sentenceBy((entry) => `let ${personOf(entry)} in as ${textOf(entry.data['role'])}`),
  'peer.limited': sentenceBy((entry) => `changed the limits of ${personOf(entry)}`),
  'peer.blocked': sentenceBy((entry) => `blocked ${personOf(entry)}`),
  'peer.removed': sentenceBy((entry) => `removed ${personOf(entry)}`),
} satisfies Readonly<Record<string, EntrySentence>>
