/** `countersign model trace`: the last requests to models, and one of them whole, with every secret masked. */
import { CountersignError, type ModelTrace } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { grouped, money, tokens } from '../output/money.ts'
import { line, lines } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { clockTime } from '../output/time.ts'

const usualLimit = 20
const mostKept = 500

export const trace: Handler = async (context, [id], options) => {
  const { limit, run } = options
  const count = limit === undefined ? usualLimit : Number(limit)
  if (!(Number.isInteger(count) && count >= 1 && count <= mostKept))
    return usage(`--limit is a number from 1 to ${mostKept}.`, 'model trace')
  const { client } = await context.gateway()
  const traces = await client.modelTraces({
    limit: String(id === undefined ? count : mostKept),
    ...(typeof run === 'string' ? { run } : {}),
  })
  if (id !== undefined) {
    const found = traces.find((each) => each.id === id)
    if (found === undefined)
      throw new CountersignError('not_found', `There is no stored request ${id}.`, {
        next: 'List them with `countersign model trace`.',
      })
    return done({ trace: found }, () => traceText(found, context))
  }
  return done({ traces }, () => {
    if (traces.length === 0)
      return run === undefined
        ? 'No request yet. Ask something with `countersign ask "Hello"`, then look again.'
        : 'No request of this run is stored.'
    const rows = traces.map((each) => [
      line(each.id),
      clockTime(each.at, context.moment()),
      `${line(each.provider)}/${line(each.model)}`,
      each.purpose,
      outcomeOf(each, context),
      `${tokens(each.tokens.input)} in, ${tokens(each.tokens.output)} out`,
      money(each.usd),
    ])
    return [
      table(['Request', 'Time', 'Model', 'For', 'Outcome', 'Tokens', '$'], rows, context.host.output.columns),
      '',
      'See one in full with `countersign model trace <request>`.',
    ].join('\n')
  })
}

function traceText(trace: ModelTrace, context: Context): string {
  const { tokens: counted } = trace
  const number = (count: number) => grouped(String(count))
  return [
    columns([
      ['Request', line(trace.id)],
      ['Time', clockTime(trace.at, context.moment())],
      ['Model', `${line(trace.provider)}/${line(trace.model)}`],
      ['For', `${trace.purpose}${trace.run === null ? '' : `, ${line(trace.run)}`}`],
      ['Outcome', `${outcomeOf(trace, context)}${trace.problem === null ? '' : `: ${line(trace.problem)}`}`],
      [
        'Tokens',
        `${number(counted.input)} in (${number(counted.cached)} from the cache), ${number(counted.output)} out (${number(counted.reasoning)} to think)`,
      ],
      ['Cost', money(trace.usd)],
      [
        'Speed',
        `${trace.firstTokenMs === null ? '' : `first word after ${Math.round(trace.firstTokenMs)} ms, `}all after ${Math.round(trace.totalMs)} ms`,
      ],
    ]),
    '',
    context.paint('strong', 'Request'),
    indent(trace.request === '' ? 'nothing is kept' : lines(trace.request), '  │ '),
    '',
    context.paint('strong', 'Reply'),
    indent(trace.reply === '' ? 'nothing came' : lines(trace.reply), '  │ '),
  ].join('\n')
}

function outcomeOf(trace: ModelTrace, context: Context): string {
  return trace.problem === null ? line(trace.outcome) : context.paint('bad', line(trace.outcome))
}
