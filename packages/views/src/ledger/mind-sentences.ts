/** The sentences of the mind: agents, goals, plans, tasks, automations, memory, conversations and the feed. */
import { because, called, count, did, list, quoted, type Sentence, type Told, text } from './telling.ts'

const named = (verb: string, noun: string, field: string): Sentence =>
  did((told) => `${verb} ${called(told, noun, field)}${changedFields(told)}`)

export const mindSentences: Readonly<Record<string, Sentence>> = {
  'agent.added': named('added', 'agent', 'agent'),
  'agent.changed': named('changed', 'agent', 'agent'),
  'agent.removed': named('removed', 'agent', 'agent'),
  'agent.restored': named('restored', 'agent', 'agent'),
  'agent.chosen': did((told) => `chose ${called(told, 'agent', 'agent')} to answer where nobody is named`),
  'agent.resynced': did(
    ({ data }) =>
      `took the built-in agents anew: ${count(data['added'], 'added', 'added')}, ${count(data['updated'], 'updated', 'updated')}, ${count(data['kept'], 'kept', 'kept')}`,
  ),
  'team.added': named('added', 'team', 'team'),
  'team.changed': named('changed', 'team', 'team'),
  'team.removed': named('removed', 'team', 'team'),
  'profile.changed': did((told) => `changed your profile${changedFields(told)}`),

  'goal.added': named('added', 'goal', 'goal'),
  'goal.changed': named('changed', 'goal', 'goal'),
  'goal.resumed': named('took up again', 'goal', 'goal'),
  'goal.waiting': did((told) => `set ${called(told, 'goal', 'goal')} to waiting`),
  'goal.paused': named('paused', 'goal', 'goal'),
  'goal.completed': named('completed', 'goal', 'goal'),
  'goal.abandoned': named('abandoned', 'goal', 'goal'),
  'goal.archived': named('archived', 'goal', 'goal'),
  'goal.removed': named('removed', 'goal', 'goal'),
  'goal.step_added': did((told) => `added the step ${quoted(text(told.data['title']))}${ofGoal(told)}`),
  'goal.step_changed': did(
    (told) =>
      `changed the step ${quoted(text(told.data['title']))}${ofGoal(told)}, now ${text(told.data['status'])}`,
  ),
  'goal.step_removed': did((told) => `removed the step ${quoted(text(told.data['title']))}${ofGoal(told)}`),
  'goal.note_added': did((told) => `added a note to ${called(told, 'goal', 'goal')}`),
  'goal.note_removed': did((told) => `removed a note from ${called(told, 'goal', 'goal')}`),
  'goal.learning_added': did((told) => `added something learnt to ${called(told, 'goal', 'goal')}`),
  'goal.learning_removed': did((told) => `removed something learnt from ${called(told, 'goal', 'goal')}`),

  'plan.added': did(
    (told) => `added ${called(told, 'plan', 'plan')} with ${count(told.data['steps'], 'step')}`,
  ),
  'plan.changed': named('changed', 'plan', 'plan'),
  'plan.started': did((told) => {
    const ahead = Number(told.data['ahead'] ?? 0)
    return `started ${called(told, 'plan', 'plan')}${ahead > 0 ? ` and allowed ${count(ahead, 'call')} ahead` : ''}`
  }),
  'plan.paused': named('paused', 'plan', 'plan'),
  'plan.resumed': named('resumed', 'plan', 'plan'),
  'plan.removed': named('removed', 'plan', 'plan'),
  'plan.ended': (told) =>
    `The plan ${quoted(text(told.data['name']))} ended as ${text(told.data['status'])}${because(told.data['result'])}.`,

  'task.active': (told) => `The task ${titleOf(told)} went on.`,
  'task.completed': (told) => `The task ${titleOf(told)} was completed.`,
  'task.failed': (told) => `The task ${titleOf(told)} failed${because(told.data['problem'])}.`,
  'task.paused': (told) => `The task ${titleOf(told)} was paused${because(told.data['problem'])}.`,
  'task.cancelled': did((told) => `cancelled the task ${titleOf(told)}`),
  'task.retried': did(
    (told) => `let the task ${titleOf(told)} be tried again, attempt ${text(told.data['attempt'])}`,
  ),
  'task.reported': ({ data }) => `Countersign reported the end of ${count(data['tasks'], 'task')}.`,

  'schedule.added': automation('added'),
  'schedule.changed': automation('changed'),
  'schedule.paused': automation('paused'),
  'schedule.resumed': automation('resumed'),
  'schedule.removed': automation('removed'),
  'schedule.asked': automation('ran'),
  'schedule.started': (told) => `${automationOf(told)} started${cause(told)}.`,
  'schedule.succeeded': (told) => `${automationOf(told)} succeeded.`,
  'schedule.failed': (told) => `${automationOf(told)} failed${because(told.data['reason'])}.`,
  'schedule.stopped': (told) => `${automationOf(told)} was stopped${because(told.data['reason'])}.`,
  'schedule.missed': (told) =>
    `${automationOf(told)} missed ${count(told.data['count'] ?? 1, 'time')}${because(told.data['reason'])}.`,
  'schedule.skipped': (told) =>
    `${automationOf(told)} was skipped ${count(told.data['count'] ?? 1, 'time')}${because(told.data['reason'])}.`,
  'schedule.suppressed': (told) =>
    `${automationOf(told)} was held back ${count(told.data['count'] ?? 1, 'time')}${because(told.data['reason'])}.`,

  'health.run_stuck': finding,
  'health.task_stale': finding,
  'health.goal_stale': finding,
  'health.task_retried': finding,
  'health.task_expired': finding,
  'health.task_cancelled_running': finding,
  'health.tasks_cleaned': finding,

  'memory.added': did((told) => `added a memory${kindOf(told)}`),
  'memory.raised': did((told) => `repeated a memory${kindOf(told)}, which became more important`),
  'memory.edited': did((told) => `edited a memory${kindOf(told)}${changedFields(told)}`),
  'memory.corrected': did((told) => `corrected a memory${kindOf(told)}`),
  'memory.accepted': did((told) => `accepted a suggested memory${kindOf(told)}`),
  'memory.rejected': did((told) => `rejected a suggested memory${kindOf(told)}`),
  'memory.forgotten': did(
    (told) => `had a memory${kindOf(told)} forgotten, with ${count(told.data['traces'], 'trace')} of it`,
  ),
  'memory.inferred': ({ data }) =>
    data['status'] === 'active'
      ? `Countersign noted ${count(data['ids'], 'memory', 'memories')} from what you wrote.`
      : `Countersign suggested ${count(data['ids'], 'memory', 'memories')} from what you wrote.`,
  'memory.not_extracted': ({ data }) =>
    `Countersign gave up looking for memories in a run after ${count(data['attempts'], 'attempt')}.`,
  'memory.never_added': did('named something that is never to be remembered'),
  'memory.never_removed': did('let something be remembered again'),

  'session.forked': did(({ data }) => `copied a conversation up to ${count(data['messages'], 'message')}`),
  'session.renamed': did(({ data }) => `renamed a conversation to ${quoted(text(data['to']))}`),
  'session.archived': did(({ data }) => `archived ${count(data['messages'], 'message')} of a conversation`),
  'session.imported': did(({ data }) => `imported a conversation of ${count(data['messages'], 'message')}`),

  'feed.made': ({ data }) =>
    `Countersign told what happened in ${count(data['items'], 'sentence')}, up to entry ${text(data['upTo'])}.`,
}

function automation(verb: string): Sentence {
  return did((told) => `${verb} ${called(told, 'automation', 'schedule')}${trigger(told)}`)
}

function automationOf(told: Told): string {
  return called(told, 'automation', 'schedule').replace(/^t/, 'T')
}

function trigger({ data }: Told): string {
  const words = text(data['trigger'])
  return words === '' ? '' : `: ${words}`
}

function cause({ data }: Told): string {
  const words: Readonly<Record<string, string>> = { manual: ' by hand', webhook: ' by a webhook' }
  return words[text(data['cause'])] ?? ''
}

function finding({ data }: Told): string {
  const [seen, done] = [text(data['seen']), text(data['done'])]
  return `The health monitor saw: ${seen}${done === '' ? '' : ` ${done}`}`
}

function titleOf({ data }: Told): string {
  const title = text(data['title'])
  return title === '' ? text(data['task']) : quoted(title)
}

function kindOf({ data }: Told): string {
  const type = text(data['type'])
  return type === '' ? '' : ` (${type})`
}

function ofGoal({ data, names }: Told): string {
  const name = names.get(text(data['goal']))
  return name === undefined ? '' : ` of the goal ${quoted(name)}`
}

function changedFields({ data }: Told): string {
  const fields = list(data['fields'] ?? data['changed'])
  return fields.length === 0 ? '' : ` (${fields.join(', ')})`
}
