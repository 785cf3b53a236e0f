/** `countersign file`: which files hold text of strangers, and what the operator says of them. */
import type { FileMarks } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'

export const marks: Handler = async (context, [path]) => {
  const found = await (await context.gateway()).client.fileMarks(path)
  return done({ ...found }, () => marksText(found, context))
}

export const trust: Handler = async (context, [path = '']) => {
  const trusted = await (await context.gateway()).client.trustFile(path)
  const gone = trusted.removed === 1 ? '1 mark is gone' : `${trusted.removed} marks are gone`
  return done({ ...trusted }, `${line(trusted.path)} is yours; ${gone}.${ledgerMark(trusted.ledger)}`)
}

export const distrust: Handler = async (context, [path = '']) => {
  const marked = await (await context.gateway()).client.distrustFile(path)
  return done({ ...marked }, `${line(marked.path)} is marked as untrusted.${ledgerMark(marked.ledger)}`)
}

function marksText({ marks: found, more, own }: FileMarks, context: Pick<Context, 'moment'>): string {
  const rows = found.map(({ path, label, markedAt }) => [
    line(path),
    ago(markedAt, context.moment()),
    line(label.sources.join(', ')),
  ])
  const mine = own.map(({ path, saidAt }) => [line(path), ago(saidAt, context.moment())])
  return [
    found.length === 0 ? 'No file is marked.' : columns([['Marked', 'Since', 'Comes from'], ...rows]),
    ...(more ? ['There are more. Give a folder to see those in it.'] : []),
    ...(own.length === 0 ? [] : ['', columns([['Yours', 'Since'], ...mine])]),
  ].join('\n')
}
