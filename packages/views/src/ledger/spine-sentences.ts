/** The sentences of the spine: messages, runs, calls, approvals, grants, money and the house itself. */
import {
  because,
  count,
  did,
  dollars,
  list,
  quoted,
  type Sentence,
  shortened,
  subjectOf,
  type Told,
  text,
} from './telling.ts'

export const spineSentences: Readonly<Record<string, Sentence>> = {
  'gateway.started': () => 'Countersign started.',
  'policy.loaded': ({ data }) =>
    `The policy was loaded with autonomy ${text(data['autonomy'])} and ${count(data['files'], 'file')} of your own.`,
  'retention.removed': ({ data }) =>
    `Details that were too old were removed: ${Object.entries(data['removed'] ?? {})
      .map(([kind, many]) => `${text(many)} ${kind}`)
      .join(', ')}.`,
  'system.paused': did('paused everything'),
  'system.resumed': did('let everything go on'),

  'input.admitted': (told) =>
    told.actor.kind === 'operator'
      ? did(({ data }) => `wrote ${quoted(text(data['text']))}`)(told)
      : `${subjectOf(told.actor)} passed on the message ${quoted(text(told.data['text']))}.`,
  'turn.replied': did(({ data }) => {
    const calls = list(data['calls']).length
    const proposed = calls === 0 ? '' : ` proposed ${count(calls, 'call')}`
    const said = text(data['text'])
    if (said === '') return calls === 0 ? 'replied with nothing' : proposed.trim()
    return `replied ${quoted(said)}${proposed === '' ? '' : ` and${proposed}`}`
  }),
  'run.ended': ({ data }) =>
    endSentences[text(data['reason'])]?.(data['message']) ?? `The run ended${because(data['message'])}.`,
  'run.waits': ({ data }) =>
    `The run waited to try again, attempt ${text(data['attempt'])} of ${text(data['of'])}${because(data['because'])}.`,
  'run.short': ({ data }) => `The run ran short of money and asked for more${because(data['message'])}.`,
  'run.stop_requested': did('stopped the run'),
  'run.undo_requested': did(({ data }) => `asked to undo ${count(data['calls'], 'effect')} of a run`),
  'run.direct': did(({ tool }) => `called ${tool ?? 'a tool'} directly`),

  'call.denied': (told) => `A rule denied ${callOf(told)}${because(told.data['reason'])}.`,
  'call.refused': (told) => `Countersign refused ${callOf(told)}${because(told.data['reason'])}.`,
  'call.impossible': (told) => `${capital(callOf(told))} could not be done${because(told.data['reason'])}.`,
  'call.edited': did(
    (told) => `changed the arguments of ${callOf(told)}${told.code ? ` in the request ${told.code}` : ''}`,
  ),
  'call.simulated': (told) => `${capital(callOf(told))} was simulated, and nothing was done.`,
  'call.waits': (told) =>
    `${capital(callOf(told))} waited for ${count(told.data['calls'], 'call')} of its own.`,
  'effect.intended': (told) =>
    `${subjectOf(told.actor)} was permitted to ${usingOf(told)}${permissionOf(told)}.`,
  'effect.outcome': outcome,
  'effect.settled': did((told) => `said of ${callOf(told)}: ${text(told.data['answer']) || 'no answer'}`),

  'approval.requested': (told) =>
    `${subjectOf(told.actor)} asked to ${usingOf(told)}${told.code ? ` (request ${told.code})` : ''}.`,
  'approval.decided': decided,
  'approval.answered': did(
    (told) =>
      `asked about the request ${told.code ?? ''}: ${quoted(text(told.data['question']))}`.replace(' :', ':'),
    () => ', and the agent answered',
  ),
  'approval.extended': did((told) => `gave the request ${told.code ?? ''} more time`.replace('  ', ' ')),
  'question.asked': ({ actor, data }) => `${subjectOf(actor)} asked you ${quoted(text(data['text']))}.`,
  'question.answered': did(({ data }) => `answered ${quoted(text(data['answer']))}`),
  'grant.created': did(({ data }) => `gave a grant${because(data['sentence'])}`),
  'grant.revoked': did(({ data, names }) => {
    const sentence = names.get(text(data['grant']))
    return `revoked ${sentence === undefined ? `the grant ${text(data['grant'])}` : `a grant: ${shortened(sentence).replace(/\.$/, '')}`}`
  }),

  'file.trusted': did(({ data }) => `said that ${quoted(text(data['path']))} is theirs`),
  'file.distrusted': did(({ data }) => `marked ${quoted(text(data['path']))} as text of strangers`),

  'model.called': ({ data }) =>
    `The model ${text(data['provider'])}/${text(data['model'])} was called for ${text(data['purpose'])}: ${text(data['outcome'])}, ${dollars(data['nanos'])}${data['estimated'] === true ? ' at a guess' : ''}.`,
  'budget.set': did(
    ({ data }) =>
      `set the budget ${text(data['name'])} to ${dollars(data['limit_nanos'])}${data['hard'] === false ? ', which only tells' : ''}`,
  ),
  'budget.removed': did(({ data }) => `removed the budget ${text(data['name'])}`),
  'budget.reached': ({ data }) =>
    `The budget ${[text(data['budget']), text(data['subject'])].filter((each) => each !== '').join(' ')} reached ${text(data['percent'])} percent: ${dollars(data['spent'])} of ${dollars(data['limit'])}.`,
  'spending.held': ({ data }) => `Countersign held unattended work${because(data['reason'])}.`,
  'spending.released': did('let unattended work go on'),
  'cost.adjusted': did(
    ({ data }) => `corrected what ${text(data['provider'])} cost by ${dollars(data['nanos'])}`,
  ),
}

const endSentences: Readonly<Record<string, (message: Told['data'][string] | undefined) => string>> = {
  completed: () => 'The run was completed.',
  manual: (message) => `The run was stopped${because(message)}.`,
  error: (message) => `The run failed${because(message)}.`,
  limit: (message) => `The run reached a limit and ended${because(message)}.`,
  budget: (message) => `The run ended because its money was spent${because(message)}.`,
  denied: (message) => `The run ended because it was denied what it needed${because(message)}.`,
}

function outcome(told: Told): string {
  const who = subjectOf(told.actor)
  const tool = told.tool ?? 'a tool'
  const summary = shortened(text(told.data['summary'])).replace(/\.$/, '')
  const result = text(told.data['result'])
  if (result === 'ok')
    return `${who} used ${tool}: ${summary || told.headline || 'done'}${permissionOf(told)}.`
  if (result === 'unknown')
    return `${who} used ${tool}, and whether it was done is not known${because(summary)}.`
  if (result === 'refused') return `The executor refused ${callOf(told)}${because(summary)}.`
  return `${who} used ${tool}, which ${result === 'failed' ? 'failed' : `ended as ${result || 'unknown'}`}${because(summary)}.`
}

function decided(told: Told): string {
  const verdict = text(told.data['verdict'])
  const reason = because(told.data['reason'])
  const request = `the request ${told.code ?? ''}`.trimEnd()
  const about = told.headline ? ` to ${infinitive(told.headline)}` : ''
  const sealed: Readonly<Record<string, string>> = {
    device: ', sealed by the device',
    passkey: ', sealed by a passkey',
  }
  if (verdict === 'approved')
    return did(`approved ${request}${about}`, () => sealed[text(told.data['seal'])] ?? '')(told)
  if (verdict === 'denied') return did(`denied ${request}${about}`, () => reason)(told)
  return `${capital(request)}${about} ${verdictWords[verdict] ?? `became ${verdict}`}${reason}.`
}

const verdictWords: Readonly<Record<string, string>> = {
  expired: 'expired without a decision',
  withdrawn: 'was withdrawn',
  superseded: 'no longer held',
}

function callOf({ tool, headline }: Told): string {
  return `${tool ?? 'a call'}${headline ? ` (${shortened(headline, 120)})` : ''}`
}

function usingOf({ tool, headline }: Told): string {
  const name = tool ?? 'a tool'
  return headline ? `${infinitive(headline)} with ${name}` : `use ${name}`
}

function permissionOf({ data, approvedOn, code }: Told): string {
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
