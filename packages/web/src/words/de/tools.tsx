import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../tools.tsx'

export const tools: Translation<typeof words> = {
  title: 'Werkzeuge',
  count: (count) => plural(count, { one: '# Werkzeug', other: '# Werkzeuge' }),
  filterLabel: 'Werkzeuge filtern',
  filter: 'Filtern',
  empty: 'Es gibt keine Werkzeuge.',
  noMatch: 'Kein Werkzeug passt zu diesem Filter.',
  choose: 'Wähle ein Werkzeug, um seine Argumente und seine Nutzung zu sehen.',
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
    unwrapped: 'als eigenes Programm',
  },
  undo: 'Rückgängig',
  noUndo: 'nicht möglich',
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
  terminal: 'Im Terminal',
  commands: { try: 'Aufruf ansehen, ohne ihn auszuführen', off: 'Abschalten', on: 'Einschalten' },
  enabled: 'Agenten können es benutzen',
  disabled: 'Agenten können es nicht benutzen',
  rulesApply: 'Deine Regeln gelten weiterhin.',
  isOn: (tool, ledger) => `${tool} ist eingeschaltet. Ledger #${ledger}.`,
  isOff: (tool, ledger) => `${tool} ist abgeschaltet. Ledger #${ledger}.`,
}
