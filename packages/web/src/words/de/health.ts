import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../health.ts'

export const health: Translation<typeof words> = {
  title: 'Zustand',
  repairs: {
    title: 'Probleme',
    none: 'Keine Probleme gefunden.',
    done: 'Behoben.',
    problems: {
      model: (why) => `Das Modell antwortet nicht. ${why}`,
      paused: (who) => `Alles ist pausiert, von ${who}.`,
      held: (why) => `Unbeaufsichtigte Arbeit ist angehalten: ${why}`,
      disk: () => 'Auf diesem Datenträger ist wenig Platz. Lösche Dateien, die du nicht brauchst.',
    },
    fix: {
      model: 'Modell erneut testen',
      paused: 'Fortsetzen',
      held: 'Unbeaufsichtigte Arbeit fortsetzen',
    },
  },
  providers: {
    title: 'Modellanbieter',
    none: 'Es ist noch kein Anbieter eingerichtet.',
    states: { closed: 'in Ordnung', open: 'nach Fehlern pausiert', 'half-open': 'wird wieder versucht' },
    lately: (calls, failures, median) =>
      `${plural(calls, { one: '# Aufruf', other: '# Aufrufe' })} in den letzten 15 Minuten, ${plural(failures, { other: '# fehlgeschlagen' })}${median === null ? '' : `, erstes Wort nach ${median}`}`,
    test: 'Testen',
    testNamed: (provider) => `${provider} testen`,
    responded: (provider, time) => `${provider} hat in ${time} geantwortet.`,
  },
  database: 'Datenbank',
  executor: 'Executor',
  sandbox: (name) => `Sandbox ${name}`,
  model: 'Modell',
  untried: (model) => `${model}, noch nicht getestet`,
  problem: (model, problem) => `${model}: ${problem}`,
  ledger: 'Ledger',
  entries: (count, signed) =>
    `${plural(count, { one: '# Eintrag', other: '# Einträge' })}, ${plural(signed, { other: '# signiert' })}`,
  works: 'in Ordnung',
  broken: 'funktioniert nicht',
  gateway: 'Gateway',
  version: 'Version',
  address: 'Adresse',
  since: 'Läuft seit',
  policy: 'Richtlinie',
  autonomy: 'Selbstständigkeit',
  runs: 'Läufe',
  runCounts: (running, parked, queued) =>
    `${plural(running, { other: '# laufen' })}, ${plural(parked, { other: '# warten' })}, ${plural(queued, { other: '# in der Warteschlange' })}`,
  waiting: 'Wartet auf dich',
  pending: (approvals, questions) =>
    `${plural(approvals, { one: '# Freigabe', other: '# Freigaben' })}, ${plural(questions, { one: '# Frage', other: '# Fragen' })}`,
  disk: 'Speicher',
  diskUse: (free, database, workspace, rest) =>
    `${free} frei; Datenbank ${database}, Arbeitsordner ${workspace}, Übriges ${rest}`,
  connected: 'Verbunden',
  clients: (count) => plural(count, { one: '# Seite oder Terminal', other: '# Seiten und Terminals' }),
  ledgerCheck: 'Ist das Ledger unversehrt?',
  intact: (count, signed) =>
    `Ja: ${plural(count, { one: '# Eintrag', other: '# Einträge' })} geprüft, ${plural(signed, { other: '# signiert' })}.`,
  notIntact: (problem) => `Nein: ${problem}`,
  noReason: 'die Einträge passen nicht zu ihren Prüfsummen',
  checkEntries: 'Jeden Eintrag prüfen',
  pageCheck: 'Zeigt diese Seite den Stand des Gateways?',
  compare: 'Vergleichen',
  comparing: 'Wird verglichen …',
  same: (event) => `Ja: gleich bei Ereignis ${event}.`,
  different: (event) => `Nein: anders bei Ereignis ${event}. Lade die Seite neu.`,
}
