/** Installs the part that turns text into vectors on the gateway's own host, and shows how far that is. */
import { errorCatalogue } from '@countersign/contract'
import type { PartStep } from '@countersign/contract/client'
import type { Context } from '../context.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { createProgress } from '../output/progress.ts'
import { line } from '../output/safe-text.ts'

/** The word that stands for this part where the kind of a provider is named. */
export const localEmbeddings = 'local-embeddings'

export async function installEmbeddings(context: Context): Promise<CommandAnswer> {
  const { client } = await context.gateway()
  const { errors } = context.host
  const progress = createProgress({
    write: (text) => {
      if (!context.flags.quiet) errors.write(text)
    },
    redraws: context.redraws && errors.isTTY === true,
    columns: () => errors.columns || 80,
  })
  let last: PartStep | undefined
  try {
    for await (const step of await client.installPart(localEmbeddings)) {
      last = step
      if ('fraction' in step) progress.update(step.fraction, step.words)
    }
  } finally {
    progress.end()
  }
  if (last !== undefined && 'problem' in last)
    return problem(
      line(last.problem),
      'Fix this, then run `countersign provider add local-embeddings` again.',
    )
  if (last === undefined || !('installed' in last))
    return problem(
      'The installation was interrupted.',
      'Run `countersign provider add local-embeddings` again; complete downloads are kept.',
    )
  const { version, bytes } = last
  return done(
    { part: localEmbeddings, installed: true, version, bytes },
    [
      `Installed local embeddings ${line(version)}, ${Math.ceil(bytes / 1_000_000)} MB.`,
      'Embeddings are computed on this machine: nothing leaves it, and there are no costs.',
      'See what is used for embeddings with `countersign model routes`.',
    ].join('\n'),
  )
}

function problem(message: string, next: string): CommandAnswer {
  return failed({ type: 'internal', message, next, exit: errorCatalogue.internal.exit })
}
