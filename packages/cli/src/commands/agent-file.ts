/** `countersign agent file`: which files of the workspace your agents are told, and in which words. */
import type { ToldFile, ToldFileContent } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago } from '../output/time.ts'

const command = 'agent file'

export const file: Handler = async (context, [action = 'list', path], options) => {
  const { client } = await context.gateway()
  if (action === 'list') return list(context, client)
  if (path === undefined)
    return usage('Give the path of a file in the workspace, such as AGENTS.md.', command)
  if (action === 'accept') return accept(client, path, options)
  if (action === 'rm') {
    const { ledger } = await client.removeToldFile(path)
    return done({ path, ledger }, `Agents are no longer told ${line(path)}.${ledgerMark(ledger)}`)
  }
  const content = await client.toldFileContent(path)
  return done({ ...content }, () => contentText(content))
}

async function list(context: Context, client: Client): Promise<CommandAnswer> {
  const files = await client.toldFiles()
  return done({ files }, () => {
    if (files.length === 0)
      return 'Agents are told no file. Look at one with `countersign agent file show AGENTS.md`.'
    const rows = files.map((each) => [
      line(each.path),
      stateWords[each.state],
      each.isPublic ? 'public' : 'private',
      ago(each.acceptedAt, context.moment()),
    ])
    return table(['File', 'State', 'Counts as', 'Accepted'], rows, context.host.output.columns)
  })
}

/** In two steps: nobody accepts what they were not shown. */
async function accept(client: Client, path: string, options: OptionValues): Promise<CommandAnswer> {
  const isPublic = options['public'] === true
  const { sha256 } = options
  if (typeof sha256 !== 'string')
    return usage(
      `Look at it first: \`countersign agent file show ${line(path)}\` prints the command that accepts it.`,
      command,
    )
  const { file: accepted, ledger } = await client.acceptToldFile({ path, sha256, isPublic })
  return done({ file: accepted, ledger }, () =>
    [
      `Agents are told ${line(accepted.path)} from their next run on, as long as it says this.${ledgerMark(ledger)}`,
      accepted.isPublic
        ? 'It counts as public: a run that was told it may still read public pages.'
        : 'It counts as private: a run that was told it asks before it reads the web. If nothing in it is private, accept it with --public.',
    ].join('\n'),
  )
}

function contentText({ path, text, told, label, sha256, isAccepted }: ToldFileContent): string {
  const length = text.trim().length
  return [
    lines(text),
    '',
    `${line(path)}: ${length} characters${told < length ? `, of which agents are told the first ${told}` : ''}.`,
    ...(label?.integrity === 'untrusted'
      ? [
          `It is marked as holding words of strangers (${label.sources.map(line).join(', ')}). If it is yours, run \`countersign file trust ${line(path)}\` first.`,
        ]
      : [
          isAccepted
            ? 'You have accepted it.'
            : `If every agent that can read files should be told exactly this: \`countersign agent file accept ${line(path)} --sha256 ${sha256}\`.`,
        ]),
  ].join('\n')
}

const stateWords: Readonly<Record<ToldFile['state'], string>> = {
  told: 'told',
  changed: 'changed since, not told',
  missing: 'cannot be read, not told',
  untrusted: 'holds words of strangers, not told',
}
