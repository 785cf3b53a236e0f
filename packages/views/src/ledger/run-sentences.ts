/** Sentences about messages, runs, calls, approvals, grants, costs and the gateway itself. */
import {
  because,
  countText,
  dollars,
  type EntryFacts,
  type EntrySentence,
  listOf,
  quoted,
  sentenceBy,
  shortened,
  subjectOf,
  textOf,
} from './sentence-parts.ts'

export const runSentences = {
  'gateway.started': () => 'Countersign started.',
  'policy.loaded': ({ data }) =>
    `The policy was loaded with autonomy ${textOf(data['autonomy'])} and ${countText(data['files'], 'file')} of your own.`,
  'policy.changed': sentenceBy(
    ({ data }) =>
      `changed the policy to version ${textOf(data['version'])}, with autonomy ${textOf(data['autonomy'])} and ${countText(data['files'], 'file')} of your own`,
  ),
  'retention.removed': ({ data }) =>
    `Old details were removed: ${Object.entries(data['removed'] ?? {})
      .map(([kind, many]) => `${textOf(many)} ${kind}`)
      .join(', ')}.`,
  'system.paused': sentenceBy('paused everything'),
  'system.resumed': sentenceBy('resumed everything'),

  'input.admitted': (entry) =>
    entry.actor.kind === 'operator'
      ? sentenceBy(({ data }) => `wrote ${quoted(textOf(data['text']))}`)(entry)
      : `${subjectOf(entry.actor)} passed on the message ${quoted(textOf(entry.data['text']))}.`,
  'turn.replied': sentenceBy(({ data }) => {
    const calls = listOf(data['calls']).length
    const proposed = calls === 0 ? '' : ` proposed ${countText(calls, 'call')}`
    const said = textOf(data['text'])
    if (said === '') return calls === 0 ? 'replied with nothing' : proposed.trim()
    return `replied ${quoted(said)}${proposed === '' ? '' : ` and${proposed}`}`
  }),
  'run.ended': ({ data }) =>
    endSentences[textOf(data['reason'])]?.(data['message']) ?? `The run ended${because(data['message'])}.`,
  'run.waits': ({ data }) =>
    `The run waited before the next attempt, ${textOf(data['attempt'])} of ${textOf(data['of'])}${because(data['because'])}.`,
  'run.short': ({ data }) => `The run reached its cost limit and asked for more${because(data['message'])}.`,
  'run.retried': sentenceBy(({ data }) =>
    data['model'] === null
      ? 'tried the model again at once'
      : `continued the run with the model ${textOf(data['model'])}`,
  ),
  'run.paused': sentenceBy('paused the run'),
  'run.resumed': sentenceBy('resumed the run'),
  'run.stop_requested': sentenceBy('stopped the run'),
  'run.undo_requested': sentenceBy(
    ({ data }) => `asked to undo ${countText(data['calls'], 'effect')} of a run`,
  ),
  'run.direct': sentenceBy(({ tool }) => `called ${tool ?? 'a tool'} directly`),

  'call.denied': (entry) => `A rule denied ${callOf(entry)}${because(entry.data['reason'])}.`,
  'call.refused': (entry) => `Countersign refused ${callOf(entry)}${because(entry.data['reason'])}.`,
  'call.held': (entry) => `${capital(callOf(entry))} was not done: nobody had asked for it.`,
  'call.questions_told': (entry) =>
    `${capital(callOf(entry))} was not asked yet: the model was told which questions are free.`,
  'unasked.let': sentenceBy(({ tool }) => `let ${tool ?? 'a call'} be asked that had been held`),
  'unasked.dismissed': sentenceBy('dismissed what was held because nobody had asked for it'),
  'call.impossible': (entry) => `${capital(callOf(entry))} was not possible${because(entry.data['reason'])}.`,
  'call.edited': sentenceBy(
    (entry) =>
      `changed the arguments of ${callOf(entry)}${entry.code ? ` in the request ${entry.code}` : ''}`,
  ),
  'call.simulated': (entry) => `${capital(callOf(entry))} was simulated. Nothing was done.`,
  'call.waits': (entry) =>
    `${capital(callOf(entry))} waited for ${countText(entry.data['calls'], 'call')} that it made.`,
  'effect.intended': (entry) =>
    `${subjectOf(entry.actor)} was allowed to ${usingOf(entry)}${permissionOf(entry)}.`,
  'effect.outcome': outcome,
  'effect.settled': sentenceBy(
    (entry) => `settled whether ${callOf(entry)} was done: ${textOf(entry.data['answer']) || 'no answer'}`,
  ),

  'approval.requested': (entry) =>
    `${subjectOf(entry.actor)} asked to ${usingOf(entry)}${entry.code ? ` (request ${entry.code})` : ''}.`,
  'approval.decided': decided,
  'approval.answered': sentenceBy(
    (entry) =>
      `asked about the request ${entry.code ?? ''}: ${quoted(textOf(entry.data['question']))}`.replace(
        ' :',
        ':',
      ),
    () => ', and the agent answered',
  ),
  'approval.extended': sentenceBy((entry) => `extended the request ${entry.code ?? ''}`.trimEnd()),
  'question.asked': ({ actor, data }) => `${subjectOf(actor)} asked you ${quoted(textOf(data['text']))}.`,
  'question.answered': sentenceBy(({ data }) => `answered ${quoted(textOf(data['answer']))}`),
  'server.asked': ({ data }) =>
    `The server ${textOf(data['server'])} asked you, in its words: ${quoted(textOf(data['text']))}.`,
  'server.refused': ({ data }) =>
    `A question of the server ${textOf(data['server'])} was not shown${because(data['reason'])}.`,
  'server.told': sentenceBy(({ data }) => {
    const server = textOf(data['server'])
    if (data['action'] === 'accept') return `answered a question of the server ${server}`
    return data['action'] === 'decline'
      ? `declined a question of the server ${server}`
      : `dismissed a question of the server ${server}`
  }),
  'server.unanswered': () => 'Nobody answered a question of a server before its call was over.',
  'grant.created': sentenceBy(({ data }) => `created a grant${because(data['sentence'])}`),
  'grant.ended': ({ data }) =>
    `A grant that nobody used for ${textOf(data['unusedDays'])} days ended by itself${because(data['sentence'])}.`,
  'grant.revoked': sentenceBy(({ data, names }) => {
    const sentence = names.get(textOf(data['grant']))
    return `revoked ${sentence === undefined ? `the grant ${textOf(data['grant'])}` : `a grant: ${shortened(sentence).replace(/\.$/, '')}`}`
  }),

  'file.trusted': sentenceBy(({ data }) => `marked ${quoted(textOf(data['path']))} as trusted`),
  'file.distrusted': sentenceBy(({ data }) => `marked ${quoted(textOf(data['path']))} as untrusted`),

  'model.called': ({ data }) =>
    `The model ${textOf(data['provider'])}/${textOf(data['model'])} was called for ${textOf(data['purpose'])}: ${textOf(data['outcome'])}, ${dollars(data['nanos'])}${data['estimated'] === true ? ' (estimated)' : ''}.`,
  'budget.set': sentenceBy(
    ({ data }) =>
      `set the budget ${textOf(data['name'])} to ${dollars(data['limit_nanos'])}${data['hard'] === false ? ' (warning only)' : ''}`,
  ),
  'budget.removed': sentenceBy(({ data }) => `removed the budget ${textOf(data['name'])}`),
  'budget.reached': ({ data }) =>
    `The budget ${[textOf(data['budget']), textOf(data['subject'])].filter((each) => each !== '').join(' ')} reached ${textOf(data['percent'])} percent: ${dollars(data['spent'])} of ${dollars(data['limit'])}.`,
  'spending.held': ({ data }) => `Countersign put unattended work on hold${because(data['reason'])}.`,
  'spending.released': sentenceBy('resumed unattended work'),
  'cost.adjusted': sentenceBy(
    ({ data }) => `corrected the cost of ${textOf(data['provider'])} by ${dollars(data['nanos'])}`,
  ),
} satisfies Readonly<Record<string, EntrySentence>>

const endSentences: Readonly<Record<string, (message: EntryFacts['data'][string] | undefined) => string>> = {
  completed: () => 'The run was completed.',
  manual: (message) => `The run was stopped${because(message)}.`,
  error: (message) => `The run failed${because(message)}.`,
  limit: (message) => `The run reached a limit and ended${because(message)}.`,
  budget: (message) => `The run ended because its budget was spent${because(message)}.`,
  denied: (message) => `The run ended because a call that it needed was denied${because(message)}.`,
}

function outcome(entry: EntryFacts): string {
  const who = subjectOf(entry.actor)
  const tool = entry.tool ?? 'a tool'
  const summary = shortened(textOf(entry.data['summary'])).replace(/\.$/, '')
  const result = textOf(entry.data['result'])
  if (result === 'ok')
    return `${who} used ${tool}: ${summary || entry.headline || 'done'}${permissionOf(entry)}.`
  if (result === 'unknown') return `${who} used ${tool}. Whether it was done is unknown${because(summary)}.`
  if (result === 'refused') return `The executor refused ${callOf(entry)}${because(summary)}.`
  return `${who} used ${tool}, which ${result === 'failed' ? 'failed' : `ended as ${result || 'unknown'}`}${because(summary)}.`
}

function decided(entry: EntryFacts): string {
  const verdict = textOf(entry.data['verdict'])
  const reason = because(entry.data['reason'])
  const request = `the request ${entry.code ?? ''}`.trimEnd()
  const about = entry.headline ? ` to ${infinitive(entry.headline)}` : ''
  const sealed: Readonly<Record<string, string>> = {
    device: ', sealed by the device',
    passkey: ', sealed by a passkey',
  }
  if (verdict === 'approved')
    return sentenceBy(`approved ${request}${about}`, () => sealed[textOf(entry.data['seal'])] ?? '')(entry)
  if (verdict === 'denied') return sentenceBy(`denied ${request}${about}`, () => reason)(entry)
  return `${capital(request)}${about} ${verdictWords[verdict] ?? `became ${verdict}`}${reason}.`
}

const verdictWords: Readonly<Record<string, string>> = {
  expired: 'expired without a decision',
  withdrawn: 'was withdrawn',
  superseded: 'was replaced',
}

function callOf({ tool, headline }: EntryFacts): string {
  return `${tool ?? 'a call'}${headline ? ` (${shortened(headline, 120)})` : ''}`
}

function usingOf({ tool, headline }: EntryFacts): string {
  const name = tool ?? 'a tool'
  return headline ? `${infinitive(headline)} with ${name}` : `use ${name}`
}

function permissionOf({ data, approvedOn, code }: EntryFacts): string {
  if (approvedOn !== null) return `, approved by you on ${approvedOn}${code ? ` (${code})` : ''}`
  return typeof data['grant'] === 'string' ? ', covered by a grant' : ''
}

/** A headline begins like a sentence; here it stands in the middle of one. */
function infinitive(headline: string): string {
  const [first = '', second = ''] = headline
  const words = shortened(headline, 140).replace(/\.$/, '')
  return second === second.toLowerCase() ? first.toLowerCase() + words.slice(1) : words
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
