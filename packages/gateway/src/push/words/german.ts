import { plural, tierNames } from '@countersign/contract'
import type { PushWords } from './english.ts'

export const german: PushWords = {
  product: 'Countersign',
  tiers: tierNames.de,
  request: {
    body: (name, effects) => `${name}. ${effects}`,
    leaves: (what, undo) => `Wird gesendet: ${what}. ${undo}`,
    undo: {
      'nothing to undo': 'Es liest nur.',
      possible: 'Lässt sich rückgängig machen.',
      impossible: 'Lässt sich nicht rückgängig machen.',
    },
  },
  requests: {
    title: (count) => plural('de', count, { one: '# Anfrage wartet', other: '# Anfragen warten' }),
    body: (name) => `Alle aus einem Lauf; das Schwerste: „${name}“. Zum Entscheiden die Freigaben öffnen.`,
  },
  many: {
    title: (count) =>
      plural('de', count, { one: '# Vorgang wartet auf dich', other: '# Vorgänge warten auf dich' }),
    body: 'Zum Entscheiden die Freigaben öffnen.',
  },
  question: {
    title: 'Der Agent hat eine Frage',
    body: 'Öffne die Unterhaltung, um sie zu lesen und zu beantworten.',
  },
  serverQuestion: {
    title: 'Ein Server hat eine Frage',
    body: 'Öffne die Unterhaltung, um sie zu lesen. Seine Worte sind die eines Fremden.',
  },
  budget: {
    title: 'Ausgaben',
    reached: (budget, percent) => `${percent} % des Limits „${budget}“ sind ausgegeben.`,
    held: 'Unbeaufsichtigte Arbeit ist angehalten: Sie hat viel mehr als üblich ausgegeben.',
  },
  reminder: {
    begins: (when) => `Beginnt ${when}.`,
    began: (when) => `Begann ${when}.`,
    late: 'Diese Erinnerung kommt zu spät: Das Gateway lief nicht.',
  },
  finished: { title: 'Ein Lauf ist fertig', body: 'Öffne ihn, um zu sehen, was getan wurde.' },
  summary: { title: 'Deine Zusammenfassung ist da', body: 'Öffne Heute, um sie zu lesen.' },
  test: 'Benachrichtigungen erreichen dieses Gerät.',
}
