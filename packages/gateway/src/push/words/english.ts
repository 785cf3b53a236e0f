/** The words of notifications. The headline of a card and the text of a notice are what a tool or the gateway wrote. */
import { plural, type Translated } from '@countersign/contract'

export const english = {
  product: 'Countersign',
  tiers: ['observe', 'reversible', 'boundary', 'outward', 'critical'],
  request: {
    body: (tier: number, name: string, effects: string) => `T${tier} ${name}. ${effects}`,
    leaves: (what: string, undo: string) => `Leaves this machine: ${what}. ${undo}`,
    undoable: 'Can be undone.',
    notUndoable: 'Cannot be undone.',
  },
  requests: {
    title: (count: number) =>
      plural('en', count, { one: '# request is waiting', other: '# requests are waiting' }),
    body: (tier: number, name: string) =>
      `All from one run; the highest tier is T${tier} ${name}. Open Approvals to decide.`,
  },
  many: {
    title: (count: number) =>
      plural('en', count, { one: '# item is waiting for you', other: '# items are waiting for you' }),
    body: 'Open Approvals to decide.',
  },
  question: {
    title: 'The agent has a question',
    body: 'Open the conversation to read and answer it.',
  },
  test: 'Notifications reach this device.',
} as const

export type PushWords = Translated<typeof english>
