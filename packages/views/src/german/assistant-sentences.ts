import type { assistantSentences } from '../ledger/assistant-sentences.ts'
import {
  because,
  type EntryFacts,
  type EntrySentence,
  listOf,
  textOf,
  triggerOf,
} from '../ledger/sentence-parts.ts'
import { countText, namedThing, quoted, sentenceBy } from './sentence-parts.ts'

const nouns = {
  agent: 'den Agenten',
  team: 'das Team',
  goal: 'das Ziel',
  plan: 'den Plan',
  schedule: 'die Automatisierung',
} as const

/** `das Ziel „Steuer“ (title, due) geändert`. */
const named = (kind: keyof typeof nouns, participle: string): EntrySentence =>
  sentenceBy((entry) => `${namedThing(entry, nouns[kind], kind)}${changedFields(entry)} ${participle}`)

const times = (entry: EntryFacts): string => countText(entry.data['count'] ?? 1, 'Mal', 'Mal')

export const germanAssistant: Readonly<Record<keyof typeof assistantSentences, EntrySentence>> = {
  'agent.added': named('agent', 'hinzugefügt'),
  'agent.changed': named('agent', 'geändert'),
  'agent.removed': named('agent', 'entfernt'),
  'agent.restored': named('agent', 'wiederhergestellt'),
  'agent.chosen': sentenceBy(
    (entry) => `${namedThing(entry, nouns.agent, 'agent')} zum Standardagenten gemacht`,
  ),
  'answering.changed': sentenceBy(({ data }) =>
    typeof data['team'] === 'string'
      ? `das Team ${textOf(data['team'])} zum Standard gemacht`
      : data['byKeywords'] === true
        ? 'Stichwörter wählen lassen, wer antwortet'
        : `den Agenten ${textOf(data['agent'])} zum Standard gemacht`,
  ),
  'agent.resynced': sentenceBy(
    ({ data }) =>
      `die mitgelieferten Agenten zurückgesetzt: ${countText(data['added'], 'hinzugefügt', 'hinzugefügt')}, ${countText(data['updated'], 'aktualisiert', 'aktualisiert')}, ${countText(data['kept'], 'behalten', 'behalten')}`,
  ),
  'agent.learning_added': sentenceBy(
    (entry) => `für ${namedThing(entry, nouns.agent, 'agent')} eine Erkenntnis hinzugefügt`,
  ),
  'agent.learning_changed': sentenceBy(
    (entry) => `für ${namedThing(entry, nouns.agent, 'agent')} eine Erkenntnis geändert`,
  ),
  'agent.learning_removed': sentenceBy(
    (entry) => `für ${namedThing(entry, nouns.agent, 'agent')} eine Erkenntnis entfernt`,
  ),
  'agent.file_accepted': sentenceBy(({ data }) => `${textOf(data['path'])} für die Agenten angenommen`),
  'agent.file_removed': sentenceBy(({ data }) => `den Agenten ${textOf(data['path'])} wieder entzogen`),
  'team.added': named('team', 'hinzugefügt'),
  'team.changed': named('team', 'geändert'),
  'team.removed': named('team', 'entfernt'),
  'profile.changed': sentenceBy((entry) => `dein Profil${changedFields(entry)} geändert`),

  'goal.added': named('goal', 'hinzugefügt'),
  'goal.changed': named('goal', 'geändert'),
  'goal.resumed': named('goal', 'fortgesetzt'),
  'goal.waiting': sentenceBy((entry) => `${namedThing(entry, nouns.goal, 'goal')} auf „wartet“ gesetzt`),
  'goal.paused': named('goal', 'angehalten'),
  'goal.completed': named('goal', 'abgeschlossen'),
  'goal.abandoned': named('goal', 'aufgegeben'),
  'goal.archived': named('goal', 'archiviert'),
  'goal.removed': named('goal', 'entfernt'),
  'goal.step_added': sentenceBy((entry) => `${stepOf(entry)} hinzugefügt`),
  'goal.step_changed': sentenceBy(
    (entry) => `${stepOf(entry)} geändert, jetzt ${textOf(entry.data['status'])}`,
  ),
  'goal.step_removed': sentenceBy((entry) => `${stepOf(entry)} entfernt`),
  'goal.note_added': sentenceBy((entry) => `eine Notiz zum Ziel ${goalOf(entry)} hinzugefügt`),
  'goal.note_removed': sentenceBy((entry) => `eine Notiz vom Ziel ${goalOf(entry)} entfernt`),
  'goal.learning_added': sentenceBy((entry) => `eine Erkenntnis zum Ziel ${goalOf(entry)} hinzugefügt`),
  'goal.checked_in': (entry) => `Countersign hat den Agenten nach dem Ziel ${goalOf(entry)} sehen lassen.`,
  'goal.note_changed': sentenceBy((entry) => `eine Notiz zum Ziel ${goalOf(entry)} geändert`),
  'goal.learning_changed': sentenceBy((entry) => `eine Erkenntnis zum Ziel ${goalOf(entry)} geändert`),
  'goal.learning_removed': sentenceBy((entry) => `eine Erkenntnis vom Ziel ${goalOf(entry)} entfernt`),

  'plan.added': sentenceBy(
    (entry) =>
      `${namedThing(entry, nouns.plan, 'plan')} mit ${countText(entry.data['steps'], 'Schritt', 'Schritten')} hinzugefügt`,
  ),
  'plan.changed': named('plan', 'geändert'),
  'plan.started': sentenceBy((entry) => {
    const ahead = Number(entry.data['ahead'] ?? 0)
    const allowed = ahead > 0 ? ` und ${countText(ahead, 'Aufruf', 'Aufrufe')} im Voraus erlaubt` : ''
    return `${namedThing(entry, nouns.plan, 'plan')} gestartet${allowed}`
  }),
  'plan.step_skipped': sentenceBy(
    (entry) => `${namedThing(entry, nouns.plan, 'plan')}: Schritt ${textOf(entry.data['step'])} übersprungen`,
  ),
  'plan.paused': named('plan', 'angehalten'),
  'plan.resumed': named('plan', 'fortgesetzt'),
  'plan.removed': named('plan', 'entfernt'),
  'plan.ended': (entry) =>
    `Der Plan ${quoted(textOf(entry.data['name']))} endete mit ${textOf(entry.data['status'])}${because(entry.data['result'])}.`,

  'task.active': (entry) => `Die Aufgabe ${titleOf(entry)} ist aktiv.`,
  'task.completed': (entry) => `Die Aufgabe ${titleOf(entry)} wurde abgeschlossen.`,
  'task.failed': (entry) =>
    `Die Aufgabe ${titleOf(entry)} ist fehlgeschlagen${because(entry.data['problem'])}.`,
  'task.paused': (entry) =>
    `Die Aufgabe ${titleOf(entry)} wurde angehalten${because(entry.data['problem'])}.`,
  'task.cancelled': sentenceBy((entry) => `die Aufgabe ${titleOf(entry)} abgebrochen`),
  'task.retried': sentenceBy(
    (entry) => `die Aufgabe ${titleOf(entry)} erneut gestartet, Versuch ${textOf(entry.data['attempt'])}`,
  ),
  'task.reported': ({ data }) =>
    `Countersign hat das Ende von ${countText(data['tasks'], 'Aufgabe', 'Aufgaben')} gemeldet.`,

  'schedule.added': automation('hinzugefügt'),
  'schedule.changed': automation('geändert'),
  'schedule.paused': automation('angehalten'),
  'schedule.resumed': automation('fortgesetzt'),
  'schedule.removed': automation('entfernt'),
  'schedule.asked': automation('ausgeführt'),
  'reminder.told': ({ data }) =>
    `Du wurdest an den Termin ${textOf(data['event'])} erinnert${data['late'] === true ? ', zu spät' : ''}.`,
  'schedule.started': (entry) => `${automationOf(entry)} ist gestartet${cause(entry)}.`,
  'schedule.succeeded': (entry) => `${automationOf(entry)} war erfolgreich.`,
  'schedule.failed': (entry) => `${automationOf(entry)} ist fehlgeschlagen${because(entry.data['reason'])}.`,
  'schedule.stopped': (entry) => `${automationOf(entry)} wurde gestoppt${because(entry.data['reason'])}.`,
  'schedule.missed': (entry) =>
    `${automationOf(entry)} wurde ${times(entry)} verpasst${because(entry.data['reason'])}.`,
  'schedule.skipped': (entry) =>
    `${automationOf(entry)} wurde ${times(entry)} übersprungen${because(entry.data['reason'])}.`,
  'schedule.suppressed': (entry) =>
    `${automationOf(entry)} wurde ${times(entry)} zurückgehalten${because(entry.data['reason'])}.`,

  'health.run_stuck': finding,
  'health.task_stale': finding,
  'health.goal_stale': finding,
  'health.task_retried': finding,
  'health.task_expired': finding,
  'health.task_cancelled_running': finding,
  'health.tasks_cleaned': finding,

  'memory.added': sentenceBy((entry) => `eine Erinnerung${kindOf(entry)} hinzugefügt`),
  'memory.raised': sentenceBy(
    (entry) => `eine Erinnerung${kindOf(entry)} wiederholt, die dadurch wichtiger wurde`,
  ),
  'memory.edited': sentenceBy((entry) => `eine Erinnerung${kindOf(entry)}${changedFields(entry)} bearbeitet`),
  'memory.corrected': sentenceBy((entry) => `eine Erinnerung${kindOf(entry)} berichtigt`),
  'memory.accepted': sentenceBy((entry) => `eine vorgeschlagene Erinnerung${kindOf(entry)} angenommen`),
  'memory.rejected': sentenceBy((entry) => `eine vorgeschlagene Erinnerung${kindOf(entry)} abgelehnt`),
  'memory.forgotten': sentenceBy(
    (entry) =>
      `eine Erinnerung${kindOf(entry)} und ${countText(entry.data['traces'], 'Spur', 'Spuren')} davon gelöscht`,
  ),
  'memory.inferred': ({ data }) =>
    `Countersign hat aus deinen Nachrichten ${countText(data['ids'], 'Erinnerung', 'Erinnerungen')} ${data['status'] === 'active' ? 'notiert' : 'vorgeschlagen'}.`,
  'memory.not_extracted': ({ data }) =>
    `Countersign konnte nach ${countText(data['attempts'], 'Versuch', 'Versuchen')} keine Erinnerungen aus einem Lauf gewinnen.`,
  'memory.never_added': sentenceBy('etwas hinzugefügt, das nie gemerkt werden soll'),
  'memory.never_removed': sentenceBy('erlaubt, dass etwas wieder gemerkt wird'),

  'session.forked': sentenceBy(
    ({ data }) => `eine Unterhaltung bis ${countText(data['messages'], 'Nachricht', 'Nachrichten')} kopiert`,
  ),
  'session.renamed': sentenceBy(({ data }) => `eine Unterhaltung in ${quoted(textOf(data['to']))} umbenannt`),
  'session.marked': sentenceBy(({ data }) =>
    data['extraTools'] !== undefined
      ? 'die zusätzlichen Werkzeuge einer Unterhaltung geändert'
      : data['metadata'] !== undefined
        ? 'die Metadaten einer Unterhaltung geändert'
        : data['hidden'] === true
          ? 'eine Unterhaltung ausgeblendet'
          : data['hidden'] === false
            ? 'eine Unterhaltung wieder eingeblendet'
            : data['pinned'] === true
              ? 'eine Unterhaltung angeheftet'
              : 'eine Unterhaltung gelöst',
  ),
  'session.cleared': sentenceBy(
    ({ data }) => `${countText(data['messages'], 'Nachricht', 'Nachrichten')} einer Unterhaltung gelöscht`,
  ),
  'session.ended': sentenceBy(() => 'eine private Unterhaltung beendet'),
  'session.removed': sentenceBy(
    ({ data }) => `eine Unterhaltung mit ${countText(data['messages'], 'Nachricht', 'Nachrichten')} gelöscht`,
  ),
  'session.archived': sentenceBy(
    ({ data }) => `${countText(data['messages'], 'Nachricht', 'Nachrichten')} einer Unterhaltung archiviert`,
  ),
  'session.imported': sentenceBy(
    ({ data }) =>
      `eine Unterhaltung mit ${countText(data['messages'], 'Nachricht', 'Nachrichten')} importiert`,
  ),

  'feed.made': ({ data }) =>
    `Countersign hat eine Übersicht von ${countText(data['items'], 'Satz', 'Sätzen')} geschrieben, bis Eintrag ${textOf(data['upTo'])}.`,
}

function automation(participle: string): EntrySentence {
  return sentenceBy(
    (entry) => `${namedThing(entry, nouns.schedule, 'schedule')} ${participle}${triggerOf(entry)}`,
  )
}

function automationOf(entry: EntryFacts): string {
  return namedThing(entry, 'Die Automatisierung', 'schedule')
}

function cause({ data }: EntryFacts): string {
  const words: Readonly<Record<string, string>> = { manual: ', von Hand', webhook: ', durch einen Webhook' }
  return words[textOf(data['cause'])] ?? ''
}

/** What was seen and done is written by the monitor, in English. */
function finding({ data }: EntryFacts): string {
  const [seen, done] = [textOf(data['seen']), textOf(data['done'])]
  return `Die Überwachung hat gemeldet: ${seen}${done === '' ? '' : ` ${done}`}`
}

function titleOf({ data }: EntryFacts): string {
  const title = textOf(data['title'])
  return title === '' ? textOf(data['task']) : quoted(title)
}

function kindOf({ data }: EntryFacts): string {
  const type = textOf(data['type'])
  return type === '' ? '' : ` (${type})`
}

function goalOf(entry: EntryFacts): string {
  return namedThing(entry, '', 'goal').trimStart()
}

function stepOf({ data, names }: EntryFacts): string {
  const name = names.get(textOf(data['goal']))
  return `den Schritt ${quoted(textOf(data['title']))}${name === undefined ? '' : ` des Ziels ${quoted(name)}`}`
}

function changedFields({ data }: EntryFacts): string {
  const fields = listOf(data['fields'] ?? data['changed'])
  return fields.length === 0 ? '' : ` (${fields.join(', ')})`
}
