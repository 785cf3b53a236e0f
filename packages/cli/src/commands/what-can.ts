/** `countersign what-can`: everything that may happen without asking. */
import type { WhatCan } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { indent } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { grantTable } from './grant.ts'

export const whatCan: Handler = async (context, [agent]) => {
  const can = await (await context.gateway()).client.whatCan(agent)
  return done({ ...can }, () => whatCanText(can, context))
}

function whatCanText(can: WhatCan, context: Context): string {
  const who = can.agent === null ? 'Without asking' : `Without asking, ${line(can.agent)}`
  const section = (title: string, body: readonly string[], empty: string) => [
    context.paint('strong', title),
    indent(body.length === 0 ? empty : body.join('\n')),
    '',
  ]
  return [
    ...section(
      `${who} at autonomy ${line(can.autonomy)}`,
      can.free.map((sentence) => line(sentence)),
      'nothing: every call asks',
    ),
    ...section(
      'By your own rules',
      can.rules.map(({ id, file, line: at, why }) => `${line(file)}:${at}  ${line(id)}  “${line(why)}”`),
      'none',
    ),
    ...section('By grants', can.grants.length === 0 ? [] : [grantTable(can.grants, context)], 'none'),
    ...section('Only with your passkey, every time', can.passkeyTools.map(line), 'no tool requires it'),
  ]
    .join('\n')
    .trimEnd()
}
