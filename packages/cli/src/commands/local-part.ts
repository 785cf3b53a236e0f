/** Installs an optional part on the gateway's own host, and shows how far that is. */
import { errorCatalogue } from '@countersign/contract'
import type { PartStep } from '@countersign/contract/client'
import type { Context } from '../context.ts'
import { type CommandAnswer, failed } from '../output/answer.ts'
import { createProgress } from '../output/progress.ts'
import { line } from '../output/safe-text.ts'

export type LocalPart = Extract<PartStep, { installed: true }> | { readonly answer: CommandAnswer }

export async function installLocalPart(context: Context, part: string): Promise<LocalPart> {
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
    for await (const step of await client.installPart(part)) {
      last = step
      if ('fraction' in step) progress.update(step.fraction, step.words)
    }
  } finally {
    progress.end()
  }
  if (last !== undefined && 'problem' in last)
    return problem(line(last.problem), `Fix this, then run \`countersign provider add ${part}\` again.`)
  if (last === undefined || !('installed' in last))
    return problem(
      'The installation was interrupted.',
      `Run \`countersign provider add ${part}\` again; complete downloads are kept.`,
    )
  return last
}

function problem(message: string, next: string): LocalPart {
  return { answer: failed({ type: 'internal', message, next, exit: errorCatalogue.internal.exit }) }
}
