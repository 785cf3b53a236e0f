import { tierNames } from '@countersign/contract'
import type { WhyWords } from '../why-english.ts'

export const germanWhy: WhyWords = {
  you: 'Du, der Betreiber.',
  itself: 'Countersign selbst, nach deinen Einstellungen.',
  requester: (kind) => `Auslöser: ${kind}.`,
  done: (headline) => `${headline}: erledigt.`,
  ended: (headline, outcome, summary) => `${headline}: ${outcome}. ${summary}`,
  permit: {
    gateway: 'Das Gateway hat eine einmalige Genehmigung versiegelt. Sie wurde verbraucht.',
    device: 'Dein Gerät hat eine einmalige Genehmigung versiegelt. Sie wurde verbraucht.',
    passkey: 'Dein Passkey hat eine einmalige Genehmigung versiegelt. Sie wurde verbraucht.',
  },
  waiting: (code) => `Die Freigabe ${code} wartet auf dich.`,
  decided: {
    approved: (code, by) => `Die Freigabe ${code} wurde von ${by} erteilt.`,
    denied: (code, by) => `Die Freigabe ${code} wurde von ${by} abgelehnt.`,
    expired: (code, by) => `Die Freigabe ${code} ist abgelaufen (${by}).`,
    withdrawn: (code, by) => `Die Freigabe ${code} wurde von ${by} zurückgezogen.`,
    superseded: (code, by) => `Die Freigabe ${code} wurde von ${by} ersetzt.`,
  },
  tiers: tierNames.de,
  decision: (name, reason, rules) => `${name}. ${reason} Regel: ${rules}.`,
  noRule: 'keine',
  raised: (reasons) => ` Höher eingestuft: ${reasons}.`,
  proposed: (tool, turn) => `Das Modell hat ${tool} in Runde ${turn} vorgeschlagen.`,
  undo: 'Ein Rückgängigmachen, das verlangt wurde.',
  run: {
    running: 'Ein Lauf des Assistenten, der noch arbeitet.',
    parked: 'Ein Lauf des Assistenten, der wartet.',
    stopped: 'Ein Lauf des Assistenten, der beendet ist.',
  },
  message: (textOf) => `„${textOf}“`,
}
