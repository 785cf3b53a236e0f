/** Sentences about agents, goals, plans, tasks, automations, memory, conversations and the feed. */
import {
  because,
  countText,
  type EntryFacts,
  type EntrySentence,
  listOf,
  namedThing,
  quoted,
  sentenceBy,
  textOf,
  triggerOf,
} from './sentence-parts.ts'

const named = (verb: string, noun: string, field: string): EntrySentence =>
  sentenceBy((entry) => `${verb} ${namedThing(entry, noun, field)}${changedFields(entry)}`)

export const assistantSentences = {
  'agent.added': named('added', 'agent', 'agent'),
  'agent.changed': named('changed', 'agent', 'agent'),
  'agent.removed': named('removed', 'agent', 'agent'),
  'agent.restored': named('restored', 'agent', 'agent'),
  'agent.chosen': sentenceBy((entry) => `made ${namedThing(entry, 'agent', 'agent')} the default agent`),
  'answering.changed': sentenceBy(({ data }) =>
    typeof data['team'] === 'string'
      ? `let the team ${textOf(data['team'])} answer by default`
      : data['byKeywords'] === true
        ? 'let keywords choose who answers'
        : `let the agent ${textOf(data['agent'])} answer by default`,
  ),
  'agent.resynced': sentenceBy(
    ({ data }) =>
      `reset the built-in agents: ${countText(data['added'], 'added', 'added')}, ${countText(data['updated'], 'updated', 'updated')}, ${countText(data['kept'], 'kept', 'kept')}`,
  ),
  'agent.learning_added': sentenceBy((entry) => `added a learning to ${namedThing(entry, 'agent', 'agent')}`),
  'agent.learning_changed': sentenceBy(
    (entry) => `changed a learning of ${namedThing(entry, 'agent', 'agent')}`,
  ),
  'agent.learning_removed': sentenceBy(
    (entry) => `removed a learning from ${namedThing(entry, 'agent', 'agent')}`,
  ),
  'agent.file_accepted': sentenceBy(({ data }) => `accepted ${textOf(data['path'])} as what agents are told`),
  'agent.file_removed': sentenceBy(({ data }) => `stopped telling agents ${textOf(data['path'])}`),
  'team.added': named('added', 'team', 'team'),
  'team.changed': named('changed', 'team', 'team'),
  'team.removed': named('removed', 'team', 'team'),
  'profile.changed': sentenceBy((entry) => `changed your profile${changedFields(entry)}`),

  'goal.added': named('added', 'goal', 'goal'),
  'goal.changed': named('changed', 'goal', 'goal'),
  'goal.resumed': named('resumed', 'goal', 'goal'),
  'goal.waiting': sentenceBy((entry) => `set ${namedThing(entry, 'goal', 'goal')} to waiting`),
  'goal.paused': named('paused', 'goal', 'goal'),
  'goal.completed': named('completed', 'goal', 'goal'),
  'goal.abandoned': named('abandoned', 'goal', 'goal'),
  'goal.archived': named('archived', 'goal', 'goal'),
  'goal.removed': named('removed', 'goal', 'goal'),
  'goal.step_added': sentenceBy(
    (entry) => `added the step ${quoted(textOf(entry.data['title']))}${ofGoal(entry)}`,
  ),
  'goal.step_changed': sentenceBy(
    (entry) =>
      `changed the step ${quoted(textOf(entry.data['title']))}${ofGoal(entry)}, now ${textOf(entry.data['status'])}`,
  ),
  'goal.step_removed': sentenceBy(
    (entry) => `removed the step ${quoted(textOf(entry.data['title']))}${ofGoal(entry)}`,
  ),
  'goal.note_added': sentenceBy((entry) => `added a note to ${namedThing(entry, 'goal', 'goal')}`),
  'goal.note_removed': sentenceBy((entry) => `removed a note from ${namedThing(entry, 'goal', 'goal')}`),
  'goal.learning_added': sentenceBy((entry) => `added a learning to ${namedThing(entry, 'goal', 'goal')}`),
  'goal.checked_in': (entry) => `Countersign had the agent look at ${namedThing(entry, 'goal', 'goal')}.`,
  'goal.note_changed': sentenceBy((entry) => `changed a note of ${namedThing(entry, 'goal', 'goal')}`),
  'goal.learning_changed': sentenceBy(
    (entry) => `changed a learning of ${namedThing(entry, 'goal', 'goal')}`,
  ),
  'goal.learning_removed': sentenceBy(
    (entry) => `removed a learning from ${namedThing(entry, 'goal', 'goal')}`,
  ),

  'plan.added': sentenceBy(
    (entry) => `added ${namedThing(entry, 'plan', 'plan')} with ${countText(entry.data['steps'], 'step')}`,
  ),
  'plan.changed': named('changed', 'plan', 'plan'),
  'plan.started': sentenceBy((entry) => {
    const ahead = Number(entry.data['ahead'] ?? 0)
    return `started ${namedThing(entry, 'plan', 'plan')}${ahead > 0 ? ` and allowed ${countText(ahead, 'call')} in advance` : ''}`
  }),
  'plan.step_skipped': sentenceBy(
    (entry) => `skipped the step ${textOf(entry.data['step'])} of ${namedThing(entry, 'plan', 'plan')}`,
  ),
  'plan.paused': named('paused', 'plan', 'plan'),
  'plan.resumed': named('resumed', 'plan', 'plan'),
  'plan.removed': named('removed', 'plan', 'plan'),
  'plan.ended': (entry) =>
    `The plan ${quoted(textOf(entry.data['name']))} ended as ${textOf(entry.data['status'])}${because(entry.data['result'])}.`,

  'task.active': (entry) => `The task ${titleOf(entry)} became active.`,
  'task.completed': (entry) => `The task ${titleOf(entry)} was completed.`,
  'task.failed': (entry) => `The task ${titleOf(entry)} failed${because(entry.data['problem'])}.`,
  'task.paused': (entry) => `The task ${titleOf(entry)} was paused${because(entry.data['problem'])}.`,
  'task.cancelled': sentenceBy((entry) => `cancelled the task ${titleOf(entry)}`),
  'task.retried': sentenceBy(
    (entry) => `retried the task ${titleOf(entry)}, attempt ${textOf(entry.data['attempt'])}`,
  ),
  'task.reported': ({ data }) => `Countersign reported the end of ${countText(data['tasks'], 'task')}.`,

  'schedule.added': automation('added'),
  'schedule.changed': automation('changed'),
  'schedule.paused': automation('paused'),
  'schedule.resumed': automation('resumed'),
  'schedule.removed': automation('removed'),
  'schedule.asked': automation('ran'),
  'reminder.told': ({ data }) =>
    `You were reminded of the event ${textOf(data['event'])}${data['late'] === true ? ', late' : ''}.`,
  'schedule.started': (entry) => `${automationOf(entry)} started${cause(entry)}.`,
  'schedule.succeeded': (entry) => `${automationOf(entry)} succeeded.`,
  'schedule.failed': (entry) => `${automationOf(entry)} failed${because(entry.data['reason'])}.`,
  'schedule.stopped': (entry) => `${automationOf(entry)} was stopped${because(entry.data['reason'])}.`,
  'schedule.missed': (entry) =>
    `${automationOf(entry)} missed ${countText(entry.data['count'] ?? 1, 'time')}${because(entry.data['reason'])}.`,
  'schedule.skipped': (entry) =>
    `${automationOf(entry)} was skipped ${countText(entry.data['count'] ?? 1, 'time')}${because(entry.data['reason'])}.`,
  'schedule.suppressed': (entry) =>
    `${automationOf(entry)} was held back ${countText(entry.data['count'] ?? 1, 'time')}${because(entry.data['reason'])}.`,

  'health.run_stuck': finding,
  'health.task_stale': finding,
  'health.goal_stale': finding,
  'health.task_retried': finding,
  'health.task_expired': finding,
  'health.task_cancelled_running': finding,
  'health.tasks_cleaned': finding,

  'memory.added': sentenceBy((entry) => `added a memory${kindOf(entry)}`),
  'memory.raised': sentenceBy((entry) => `repeated a memory${kindOf(entry)}, which became more important`),
  'memory.edited': sentenceBy((entry) => `edited a memory${kindOf(entry)}${changedFields(entry)}`),
  'memory.corrected': sentenceBy((entry) => `corrected a memory${kindOf(entry)}`),
  'memory.accepted': sentenceBy((entry) => `accepted a suggested memory${kindOf(entry)}`),
  'memory.rejected': sentenceBy((entry) => `rejected a suggested memory${kindOf(entry)}`),
  'memory.forgotten': sentenceBy(
    (entry) => `erased a memory${kindOf(entry)} and ${countText(entry.data['traces'], 'trace')} of it`,
  ),
  'memory.inferred': ({ data }) =>
    data['status'] === 'active'
      ? `Countersign noted ${countText(data['ids'], 'memory', 'memories')} from what you wrote.`
      : `Countersign suggested ${countText(data['ids'], 'memory', 'memories')} from what you wrote.`,
  'memory.not_extracted': ({ data }) =>
    `Countersign could not extract memories from a run after ${countText(data['attempts'], 'attempt')}.`,
  'memory.never_added': sentenceBy('added something that is never to be remembered'),
  'memory.never_removed': sentenceBy('allowed something to be remembered again'),

  'session.forked': sentenceBy(
    ({ data }) => `copied a conversation up to ${countText(data['messages'], 'message')}`,
  ),
  'session.renamed': sentenceBy(({ data }) => `renamed a conversation to ${quoted(textOf(data['to']))}`),
  'session.marked': sentenceBy(({ data }) =>
    data['extraTools'] !== undefined
      ? 'changed the extra tools of a conversation'
      : data['metadata'] !== undefined
        ? 'changed the metadata of a conversation'
        : data['hidden'] === true
          ? 'hid a conversation from the list'
          : data['hidden'] === false
            ? 'put a conversation back into the list'
            : data['pinned'] === true
              ? 'pinned a conversation'
              : 'unpinned a conversation',
  ),
  'session.cleared': sentenceBy(
    ({ data }) => `erased ${countText(data['messages'], 'message')} of a conversation`,
  ),
  'session.ended': sentenceBy(() => 'ended a private conversation'),
  'session.removed': sentenceBy(
    ({ data }) => `deleted a conversation of ${countText(data['messages'], 'message')}`,
  ),
  'session.archived': sentenceBy(
    ({ data }) => `archived ${countText(data['messages'], 'message')} of a conversation`,
  ),
  'session.imported': sentenceBy(
    ({ data }) => `imported a conversation of ${countText(data['messages'], 'message')}`,
  ),

  'feed.made': ({ data }) =>
    `Countersign wrote a digest of ${countText(data['items'], 'sentence')}, up to entry ${textOf(data['upTo'])}.`,
} satisfies Readonly<Record<string, EntrySentence>>

function automation(verb: string): EntrySentence {
  return sentenceBy((entry) => `${verb} ${namedThing(entry, 'automation', 'schedule')}${triggerOf(entry)}`)
}

function automationOf(entry: EntryFacts): string {
  return namedThing(entry, 'automation', 'schedule').replace(/^t/, 'T')
}

function cause({ data }: EntryFacts): string {
  const words: Readonly<Record<string, string>> = { manual: ' manually', webhook: ' by a webhook' }
  return words[textOf(data['cause'])] ?? ''
}

function finding({ data }: EntryFacts): string {
  const [seen, done] = [textOf(data['seen']), textOf(data['done'])]
  return `The health monitor reported: ${seen}${done === '' ? '' : ` ${done}`}`
}

function titleOf({ data }: EntryFacts): string {
  const title = textOf(data['title'])
  return title === '' ? textOf(data['task']) : quoted(title)
}

function kindOf({ data }: EntryFacts): string {
  const type = textOf(data['type'])
  return type === '' ? '' : ` (${type})`
}

function ofGoal({ data, names }: EntryFacts): string {
  const name = names.get(textOf(data['goal']))
  return name === undefined ? '' : ` of the goal ${quoted(name)}`
}

function changedFields({ data }: EntryFacts): string {
  const fields = listOf(data['fields'] ?? data['changed'])
  return fields.length === 0 ? '' : ` (${fields.join(', ')})`
}
