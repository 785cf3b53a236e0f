import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../tools.tsx'

export const tools: Translation<typeof words> = {
  title: 'Werkzeuge',
  count: (count) => plural(count, { one: '# Werkzeug', other: '# Werkzeuge' }),
  called: (calls) => plural(calls, { one: '# Aufruf in 30 Tagen', other: '# Aufrufe in 30 Tagen' }),
  filterLabel: 'Werkzeuge filtern',
  filter: 'Filtern',
  noMatch: 'Kein Werkzeug passt zu diesem Filter.',
  off: 'aus',
  source: (source, version) => (
    <>
      von {source}, Version {version}
    </>
  ),
  behaviour: 'Verhalten',
  atLeast: 'Mindestens',
  interrupted: 'Bei Abbruch',
  effects: {
    pure: 'es läuft noch einmal; nichts ändert sich',
    idempotent: 'es läuft noch einmal; das Ergebnis ist dasselbe',
    once: 'du wirst gefragt, was geschehen ist',
  },
  runs: 'Läuft',
  places: {
    executor: 'im Executor, in seiner Sandbox',
    gateway: 'im Gateway, auf eigenen Datensätzen',
    operator: 'indem es dich fragt',
    node: 'auf einem anderen Computer von dir, in seiner Sandbox',
    unwrapped: 'als eigenes Programm',
  },
  undo: 'Rückgängig',
  noUndo: 'nicht möglich',
  secret: 'Geheimnis',
  secretKept: (name) => `${name}, vorhanden`,
  secretMissing: (name, command) => `${name} fehlt. Füge es unter Einstellungen hinzu oder mit ${command}.`,
  secretsMissing: 'Geheimnis fehlt',
  rate: 'Ratenlimit',
  noRate: 'keines',
  rateOf: (calls, seconds) =>
    `${plural(calls, { one: '# Aufruf', other: '# Aufrufe' })} in ${plural(seconds, { other: '# s' })}`,
  lately: 'Letzte 30 Tage',
  calls: 'Aufrufe',
  failed: 'Fehlgeschlagen',
  noFailures: 'keine',
  failures: (count) => plural(count, { one: '# Aufruf', other: '# Aufrufe' }),
  median: 'Mittlere Dauer',
  unknown: 'nicht bekannt',
  last: 'Zuletzt benutzt',
  never: 'nie',
  arguments: 'Argumente',
  noArguments: 'Es nimmt keine Argumente.',
  argument: {
    name: 'Name',
    kind: 'Wert',
    required: 'Nötig',
    about: 'Was es ist',
    yes: 'ja',
    no: 'nein',
    kinds: { text: 'Text', number: 'Zahl', boolean: 'ja oder nein', choice: 'eines von', other: 'JSON' },
  },
  perDay: (counts) => `Aufrufe an jedem der letzten 30 Tage: ${counts}`,
  used: (calls, median) =>
    median === null
      ? plural(calls, { one: '# Aufruf', other: '# Aufrufe' })
      : `${plural(calls, { one: '# Aufruf', other: '# Aufrufe' })}, Median ${median}`,
  showAll: 'Alle Werkzeuge zeigen',
  state: 'An, aus oder benutzt',
  states: { all: 'An und aus', on: 'An', off: 'Aus', used: 'Benutzt', unused: 'Nie benutzt' },
  tier: 'Stufe',
  anyTier: 'Jede Stufe',
  onlyGroup: (group) => `Nur ${group}. Alle zeigen`,
  groups: {
    title: 'Gruppen',
    about:
      'Schalte ganze Gruppen ein oder aus. Agenten sehen nur eingeschaltete Werkzeuge, und deine Regeln gelten weiter.',
    needs: (about, needs) => `${about} Braucht ${needs}.`,
  },
  tryIt: {
    title: 'Ausprobieren',
    about:
      'Die Vorschau führt nichts aus. Ausführen macht den Aufruf in deinem Namen und fragt nach Freigabe, wo deine Regeln es sagen.',
    preview: 'Vorschau',
    run: 'Ausführen',
    required: (name) => `${name} (nötig)`,
    notGiven: 'Nicht angegeben',
    yes: 'Ja',
    no: 'Nein',
    json: (about) => (about === '' ? 'Als JSON.' : `${about} Als JSON.`),
    started: (tool) => `${tool} gestartet.`,
    open: 'Öffnen',
    decisions: { allow: 'Würde ohne Frage laufen', ask: 'Würde dich fragen', deny: 'Würde abgelehnt' },
  },
  enabled: 'Agenten können es benutzen',
  disabled: 'Agenten können es nicht benutzen',
  rulesApply: 'Deine Regeln gelten weiterhin.',
  isOn: (tool, ledger) => `${tool} ist eingeschaltet. Ledger #${ledger}.`,
  isOff: (tool, ledger) => `${tool} ist abgeschaltet. Ledger #${ledger}.`,
}
