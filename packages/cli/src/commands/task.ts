/** `countersign task`: what agents do in the background, and what came of it. */
import { AgentTaskStatus, type AgentTaskView, type HealthInspection } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago, until } from '../output/time.ts'
import { shortId } from '../short-id.ts'
import { taskState } from './goal-words.ts'

export const list: Handler = async (context, _args, options) => {
  const status = AgentTaskStatus.optional().safeParse(options['status'])
  if (!status.success) return usage(`--status is one of ${AgentTaskStatus.options.join(', ')}.`, 'task list')
  const tasks = await (await context.gateway()).client.agentTasks({
    ...(status.data === undefined ? {} : { status: status.data }),
    ...(typeof options['goal'] === 'string' ? { goal: options['goal'] } : {}),
  })
  return done({ tasks }, () => {
    if (tasks.length === 0) return emptyText(status.data)
    const rows = tasks.map((task) => [
      task.id,
      taskState(task, context),
      ago(task.updatedAt, context.moment()),
      line(task.title),
      task.problem === null ? '' : line(task.problem),
    ])
    return table(['Task', 'State', 'Changed', 'What', 'Problem'], rows, context.host.output.columns)
  })
}

export const show: Handler = async (context, [id = '']) => {
  const task = await (await context.gateway()).client.agentTask(id)
  return done({ task }, () => taskText(task, context))
}

export const retry: Handler = async (context, [id = '']) => {
  const { task, ledger } = await (await context.gateway()).client.retryAgentTask(id)
  return done(
    { task, ledger },
    `“${line(task.title)}” is running again, attempt ${task.attempts}.${ledgerMark(ledger)}`,
  )
}

export const cancel: Handler = async (context, [id = '']) => {
  const { task, ledger } = await (await context.gateway()).client.cancelAgentTask(id)
  return done({ task, ledger }, () =>
    [
      `“${line(task.title)}” is cancelled. Finished calls are not undone.${ledgerMark(ledger)}`,
      ...(task.run === null ? [] : [`Undo them with \`countersign run undo ${line(shortId(task.run))}\`.`]),
    ].join('\n'),
  )
}

export const inspect: Handler = async (context) => {
  const inspection = await (await context.gateway()).client.inspectWork()
  return done({ inspection }, () => inspectionText(inspection, context))
}

function inspectionText({ findings, problems, nextRetryAt }: HealthInspection, context: Context): string {
  return [
    ...(findings.length === 0 && problems.length === 0 ? ['Nothing is stuck.'] : []),
    ...findings.map(({ id, seen, done: mended }) => `${line(shortId(id))}  ${line(seen)} ${line(mended)}`),
    ...problems.map((problem) => `${context.paint('bad', 'Not done')}  ${line(problem)}`),
    ...(nextRetryAt === null
      ? []
      : [`The next task is tried again ${until(nextRetryAt, context.moment())}.`]),
    ...(findings.length === 0
      ? []
      : ['What was found earlier is in the ledger: `countersign ledger query type:health`.']),
  ].join('\n')
}

function taskText(task: AgentTaskView, context: Context): string {
  const part = (title: string, text: string | null) =>
    text === null ? [] : ['', context.paint('strong', title), indent(lines(text))]
  return [
    context.paint('strong', line(task.title)),
    columns([
      ['Id', task.id],
      ['State', taskState(task, context)],
      ...(task.goal === null ? [] : [['Goal', line(shortId(task.goal))]]),
      ['Started by', line(task.parent)],
      ...(task.run === null ? [] : [['Run', line(shortId(task.run))]]),
      ['Attempts', String(task.attempts)],
      ...(task.label?.integrity === 'untrusted'
        ? [['From', `untrusted content: ${task.label.sources.map(line).join(', ') || 'unknown'}`]]
        : []),
    ]),
    ...part('Problem', task.problem),
    ...part('Instructions', task.instructions),
    ...part('Result', task.result),
    ...(task.status === 'failed' || task.status === 'cancelled'
      ? ['', `Retry it with \`countersign task retry ${task.id}\`.`]
      : []),
  ].join('\n')
}

function emptyText(status: AgentTaskStatus | undefined): string {
  if (status !== undefined) return `No task is ${status}. See all with \`countersign task list\`.`
  return 'No task yet. Agents start them for longer work: try `countersign ask "Compare three laptops, in the background"`.'
}
