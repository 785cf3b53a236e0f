/** `countersign session`: conversations and what was said in them. */
import type { SessionDetail } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { line, lines } from '../output/safe.ts'
import { ago, clockTime } from '../output/time.ts'
import { runState } from './run.ts'

export const list: Handler = async (context) => {
  const sessions = await (await context.gateway()).client.sessions()
  if (sessions.length === 0) return done({ sessions }, 'No session yet. Begin one with `countersign chat`.')
  const rows = sessions.map((session) => [
    session.id,
    ago(session.updatedAt, context.moment()),
    session.activeRun === null ? 'idle' : `running${session.queued > 0 ? `, ${session.queued} queued` : ''}`,
    line(session.title),
  ])
  return done({ sessions }, columns([['Session', 'Last used', 'State', 'Title'], ...rows]))
}

export const show: Handler = async (context, [id = '']) => {
  const detail = await (await context.gateway()).client.session(id)
  return done({ ...detail }, sessionText(detail, context))
}

function sessionText(detail: SessionDetail, context: Context): string {
  const moment = context.moment()
  const said = detail.messages
    .filter((message) => message.text !== '')
    .map((message) => {
      const who = message.role === 'operator' ? 'You' : 'Assistant'
      return `${context.paint('strong', who)}  ${clockTime(message.at, moment)}\n${indent(lines(message.text))}\n`
    })
  const runs = detail.runs.map((run) => [run.id, runState(run), ago(run.startedAt, moment)])
  return [
    `${detail.session.id}  ${line(detail.session.title)}`,
    '',
    ...said,
    ...(runs.length > 0 ? [columns(runs)] : []),
  ].join('\n')
}
