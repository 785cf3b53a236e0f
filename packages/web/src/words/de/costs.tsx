import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../costs.tsx'

export const costs: Translation<typeof words> = {
  title: 'Kosten',
  note: 'aus den eigenen Aufzeichnungen dieses Gateways',
  breakdown: 'Aufteilung',
  groupBy: 'Gruppieren',
  by: {
    model: 'nach Modell',
    provider: 'nach Anbieter',
    purpose: 'nach Zweck',
    agent: 'nach Agent',
    goal: 'nach Ziel',
    schedule: 'nach Automatisierung',
    session: 'nach Unterhaltung',
    run: 'nach Lauf',
    day: 'nach Tag',
    hour: 'nach Stunde',
  },
  nothing: 'Es wurde nichts ausgegeben.',
  caption: (by) => `Ausgaben ${by}`,
  span: (from, before) => (
    <>
      {from} bis jetzt · {before} im Zeitraum davor
    </>
  ),
  unattended: 'Unbeaufsichtigt',
  perOutcome: 'Je erfolgreichem Lauf',
  noOutcome: 'noch kein Lauf war erfolgreich',
  tokens: 'Token',
  tokenCounts: (input, output) =>
    `${plural(input, { other: '# Token' })} Eingabe, ${plural(output, { other: '# Token' })} Ausgabe`,
  cached: 'Aus dem Cache',
  unknown: 'nicht bekannt',
  percent: (percent) => `${percent} %`,
  estimated: 'Geschätzt',
  estimatedAbout: (amount) => `${amount}, wo der Anbieter nichts angab`,
  reserved: 'Reserviert',
  reservedAbout: (amount) => `${amount} für laufende Aufrufe`,
  columns: {
    what: 'Was',
    calls: 'Aufrufe',
    tokens: 'Token ein, aus',
    cost: 'Kosten',
    run: 'Lauf',
    why: 'Warum',
    when: 'Wann',
  },
  costliest: 'Teuerste Läufe',
  noRuns: 'Kein Lauf hat etwas gekostet.',
  unattendedRun: 'unbeaufsichtigt',
  limits: 'Limits',
  noLimits: 'Kein Limit ist gesetzt.',
  onlyWarns: ', warnt nur',
  eachUpTo: (limit) => `je bis ${limit}`,
  of: (spent, limit) => `${spent} von ${limit}`,
  restarts: (when) => <>beginnt neu {when}</>,
  commands: {
    set: 'Ein Limit setzen',
    reconcile: 'Mit der Rechnung des Anbieters vergleichen',
    idle: 'Sehen, was ausgegeben wurde, während du weg warst',
  },
}
