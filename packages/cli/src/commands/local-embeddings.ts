/** Installs the part that turns text into vectors on the gateway's own host. */
import type { Context } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { line } from '../output/safe-text.ts'
import { installLocalPart } from './local-part.ts'

/** The word that stands for this part where the kind of a provider is named. */
export const localEmbeddings = 'local-embeddings'

export async function installEmbeddings(context: Context): Promise<CommandAnswer> {
  const part = await installLocalPart(context, localEmbeddings)
  if ('answer' in part) return part.answer
  const { version, bytes } = part
  return done(
    { part: localEmbeddings, installed: true, version, bytes },
    [
      `Installed local embeddings ${line(version)}, ${Math.ceil(bytes / 1_000_000)} MB.`,
      'Embeddings are computed on this machine: nothing leaves it, and there are no costs.',
      'See what is used for embeddings with `countersign model routes`.',
    ].join('\n'),
  )
}
