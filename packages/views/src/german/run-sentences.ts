import type { runSentences } from '../ledger/run-sentences.ts'
import {
  because,
  dollars,
  type EntryFacts,
  type EntrySentence,
  listOf,
  shortened,
  textOf,
} from '../ledger/sentence-parts.ts'
import { countText, hasDone, quoted, sentenceBy, subjectOf } from './sentence-parts.ts'

export const germanRuns: Readonly<Record<keyof typeof runSentences, EntrySentence>> = {
  'gateway.started': () => 'Countersign ist gestartet.',
  'policy.loaded': ({ data }) =>
    `Die Richtlinie wurde geladen: Stufe ${textOf(data['autonomy'])} und ${countText(data['files'], 'eigene Datei', 'eigene Dateien')}.`,
  'policy.changed': sentenceBy(
    ({ data }) =>
      `die Richtlinie geändert, Fassung ${textOf(data['version'])}: Stufe ${textOf(data['autonomy'])} und ${countText(data['files'], 'eigene Datei', 'eigene Dateien')}`,
  ),
  'retention.removed': ({ data }) =>
    `Alte Einzelheiten wurden entfernt: ${Object.entries(data['removed'] ?? {})
      .map(([kind, many]) => `${textOf(many)} ${kind}`)
      .join(', ')}.`,
  'system.paused': sentenceBy('alles angehalten'),
  'system.resumed': sentenceBy('alles fortgesetzt'),

  'input.admitted': (entry) =>
    entry.actor.kind === 'operator'
      ? sentenceBy(({ data }) => `geschrieben: ${quoted(textOf(data['text']))}`)(entry)
      : `${subjectOf(entry.actor)} hat die Nachricht ${quoted(textOf(entry.data['text']))} weitergegeben.`,
  'turn.replied': sentenceBy(({ data }) => {
    const calls = listOf(data['calls']).length
    const proposed = `${countText(calls, 'Aufruf', 'Aufrufe')} vorgeschlagen`
    const said = textOf(data['text'])
    if (said === '') return calls === 0 ? 'nichts geantwortet' : proposed
    return `${calls === 0 ? '' : `${proposed} und `}geantwortet: ${quoted(said)}`
  }),
  'run.ended': ({ data }) =>
    endSentences[textOf(data['reason'])]?.(data['message']) ?? `Der Lauf endete${because(data['message'])}.`,
  'run.waits': ({ data }) =>
    `Der Lauf hat vor dem nächsten Versuch gewartet, ${textOf(data['attempt'])} von ${textOf(data['of'])}${because(data['because'])}.`,
  'run.short': ({ data }) =>
    `Der Lauf hat sein Kostenlimit erreicht und um mehr gebeten${because(data['message'])}.`,
  'run.retried': sentenceBy(({ data }) =>
    data['model'] === null
      ? 'das Modell sofort noch einmal versucht'
      : `den Lauf mit dem Modell ${textOf(data['model'])} fortgesetzt`,
  ),
  'run.paused': sentenceBy('den Lauf angehalten'),
  'run.resumed': sentenceBy('den Lauf fortgesetzt'),
  'run.stop_requested': sentenceBy('den Lauf gestoppt'),
  'run.undo_requested': sentenceBy(
    ({ data }) =>
      `verlangt, ${countText(data['calls'], 'Wirkung', 'Wirkungen')} eines Laufs rückgängig zu machen`,
  ),
  'run.direct': sentenceBy(({ tool }) => `${tool ?? 'ein Werkzeug'} direkt aufgerufen`),

  'call.denied': (entry) => `Eine Regel hat ${callOf(entry)} abgelehnt${because(entry.data['reason'])}.`,
  'call.refused': (entry) => `Countersign hat ${callOf(entry)} abgelehnt${because(entry.data['reason'])}.`,
  'call.held': (entry) => `${capital(callOf(entry))} wurde nicht getan: Niemand hatte darum gebeten.`,
  'call.questions_told': (entry) =>
    `${capital(callOf(entry))} wurde noch nicht gefragt: Dem Modell wurde gesagt, welche Fragen frei sind.`,
  'unasked.let': sentenceBy(({ tool }) => `${tool ?? 'einen Aufruf'} fragen lassen, was zurückgehalten war`),
  'unasked.dismissed': sentenceBy('verworfen, was zurückgehalten war, weil niemand darum gebeten hatte'),
  'call.impossible': (entry) =>
    `${capital(callOf(entry))} war nicht möglich${because(entry.data['reason'])}.`,
  'call.edited': sentenceBy(
    (entry) =>
      `die Argumente von ${callOf(entry)}${entry.code ? ` in der Anfrage ${entry.code}` : ''} geändert`,
  ),
  'call.simulated': (entry) => `${capital(callOf(entry))} wurde simuliert. Nichts wurde ausgeführt.`,
  'call.waits': (entry) =>
    `${capital(callOf(entry))} hat auf ${countText(entry.data['calls'], 'eigenen Aufruf', 'eigene Aufrufe')} gewartet.`,
  'effect.intended': (entry) =>
    `${subjectOf(entry.actor)} durfte ${callOf(entry)} ausführen${permissionOf(entry)}.`,
  'effect.outcome': outcome,
  'effect.settled': sentenceBy(
    (entry) =>
      `geklärt, ob ${callOf(entry)} ausgeführt wurde: ${textOf(entry.data['answer']) || 'keine Antwort'}`,
  ),

  'approval.requested': (entry) =>
    `${subjectOf(entry.actor)} hat um Freigabe von ${callOf(entry)} gebeten${entry.code ? ` (Anfrage ${entry.code})` : ''}.`,
  'approval.decided': decided,
  'approval.answered': sentenceBy(
    (entry) => `zu ${requestOf(entry, 'der')} gefragt: ${quoted(textOf(entry.data['question']))}`,
    () => ', und der Agent hat geantwortet',
  ),
  'approval.extended': sentenceBy((entry) => `${requestOf(entry, 'die')} verlängert`),
  'question.asked': ({ actor, data }) =>
    `${subjectOf(actor)} hat dich gefragt: ${quoted(textOf(data['text']))}.`,
  'question.answered': sentenceBy(({ data }) => `geantwortet: ${quoted(textOf(data['answer']))}`),
  'server.asked': ({ data }) =>
    `Der Server ${textOf(data['server'])} hat dich in seinen Worten gefragt: ${quoted(textOf(data['text']))}.`,
  'server.refused': ({ data }) =>
    `Eine Frage des Servers ${textOf(data['server'])} wurde nicht gezeigt${because(data['reason'])}.`,
  'server.told': sentenceBy(({ data }) => {
    const server = textOf(data['server'])
    if (data['action'] === 'accept') return `eine Frage des Servers ${server} beantwortet`
    return data['action'] === 'decline'
      ? `eine Frage des Servers ${server} abgelehnt`
      : `eine Frage des Servers ${server} beiseitegelegt`
  }),
  'server.unanswered': () =>
    'Niemand hat eine Frage eines Servers beantwortet, bevor sein Aufruf vorbei war.',
  'grant.created': sentenceBy(({ data }) => `eine Erlaubnis erteilt${because(data['sentence'])}`),
  'grant.ended': ({ data }) =>
    `Eine Erlaubnis, die ${textOf(data['unusedDays'])} Tage lang niemand genutzt hat, ist von selbst geendet${because(data['sentence'])}.`,
  'grant.revoked': sentenceBy(({ data, names }) => {
    const sentence = names.get(textOf(data['grant']))
    return sentence === undefined
      ? `die Erlaubnis ${textOf(data['grant'])} widerrufen`
      : `eine Erlaubnis widerrufen: ${shortened(sentence).replace(/\.$/, '')}`
  }),

  'file.trusted': sentenceBy(({ data }) => `${quoted(textOf(data['path']))} als vertrauenswürdig markiert`),
  'file.distrusted': sentenceBy(
    ({ data }) => `${quoted(textOf(data['path']))} als nicht vertrauenswürdig markiert`,
  ),

  'model.called': ({ data }) =>
    `Das Modell ${textOf(data['provider'])}/${textOf(data['model'])} wurde für ${textOf(data['purpose'])} aufgerufen: ${textOf(data['outcome'])}, ${dollars(data['nanos'], 'de')}${data['estimated'] === true ? ' (geschätzt)' : ''}.`,
  'budget.set': sentenceBy(
    ({ data }) =>
      `das Budget ${textOf(data['name'])} auf ${dollars(data['limit_nanos'], 'de')} gesetzt${data['hard'] === false ? ' (nur Warnung)' : ''}`,
  ),
  'budget.removed': sentenceBy(({ data }) => `das Budget ${textOf(data['name'])} entfernt`),
  'budget.reached': ({ data }) =>
    `Das Budget ${[textOf(data['budget']), textOf(data['subject'])].filter((each) => each !== '').join(' ')} ist zu ${textOf(data['percent'])} Prozent verbraucht: ${dollars(data['spent'], 'de')} von ${dollars(data['limit'], 'de')}.`,
  'spending.held': ({ data }) =>
    `Countersign hat unbeaufsichtigte Arbeit angehalten${because(data['reason'])}.`,
  'spending.released': sentenceBy('unbeaufsichtigte Arbeit fortgesetzt'),
  'cost.adjusted': sentenceBy(
    ({ data }) => `die Kosten von ${textOf(data['provider'])} um ${dollars(data['nanos'], 'de')} korrigiert`,
  ),
}

const endSentences: Readonly<Record<string, (message: EntryFacts['data'][string] | undefined) => string>> = {
  completed: () => 'Der Lauf wurde abgeschlossen.',
  manual: (message) => `Der Lauf wurde gestoppt${because(message)}.`,
  error: (message) => `Der Lauf ist fehlgeschlagen${because(message)}.`,
  limit: (message) => `Der Lauf hat ein Limit erreicht und endete${because(message)}.`,
  budget: (message) => `Der Lauf endete, weil sein Budget verbraucht war${because(message)}.`,
  denied: (message) => `Der Lauf endete, weil ein nötiger Aufruf abgelehnt wurde${because(message)}.`,
}

function outcome(entry: EntryFacts): string {
  const used = `${hasDone(entry.actor)} ${entry.tool ?? 'ein Werkzeug'} benutzt`
  const summary = shortened(textOf(entry.data['summary'])).replace(/\.$/, '')
  const result = textOf(entry.data['result'])
  if (result === 'ok') return `${used}: ${summary || entry.headline || 'erledigt'}${permissionOf(entry)}.`
  if (result === 'unknown') return `${used}. Ob es ausgeführt wurde, ist nicht bekannt${because(summary)}.`
  if (result === 'refused') return `Der Executor hat ${callOf(entry)} abgelehnt${because(summary)}.`
  const end = result === 'failed' ? 'ohne Erfolg' : `mit dem Ergebnis ${result || 'unbekannt'}`
  return `${used}, ${end}${because(summary)}.`
}

function decided(entry: EntryFacts): string {
  const verdict = textOf(entry.data['verdict'])
  const reason = because(entry.data['reason'])
  const request = `${requestOf(entry, 'die')}${entry.headline ? ` (${shortened(entry.headline, 120)})` : ''}`
  const sealed: Readonly<Record<string, string>> = {
    device: ', vom Gerät versiegelt',
    passkey: ', mit einem Passkey versiegelt',
  }
  if (verdict === 'approved')
    return sentenceBy(`${request} freigegeben`, () => sealed[textOf(entry.data['seal'])] ?? '')(entry)
  if (verdict === 'denied') return sentenceBy(`${request} abgelehnt`, () => reason)(entry)
  return `${capital(request)} ${verdictWords[verdict] ?? `wurde ${verdict}`}${reason}.`
}

const verdictWords: Readonly<Record<string, string>> = {
  expired: 'ist ohne Entscheidung abgelaufen',
  withdrawn: 'wurde zurückgezogen',
  superseded: 'wurde ersetzt',
}

function requestOf({ code }: EntryFacts, article: 'die' | 'der'): string {
  return `${article} Anfrage${code ? ` ${code}` : ''}`
}

function callOf({ tool, headline }: EntryFacts): string {
  return `${tool ?? 'ein Aufruf'}${headline ? ` (${shortened(headline, 120)})` : ''}`
}

function permissionOf({ data, approvedOn, code }: EntryFacts): string {
  if (approvedOn !== null) return `, von dir auf ${approvedOn} freigegeben${code ? ` (${code})` : ''}`
  return typeof data['grant'] === 'string' ? ', durch eine Erlaubnis gedeckt' : ''
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
