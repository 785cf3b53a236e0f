/** The words of notifications. The headline of a card and the text of a notice are what a tool or the gateway wrote. */
import { plural, type Translated, tierNames } from '@countersign/contract'

export const english = {
  product: 'Countersign',
  tiers: tierNames.en,
  request: {
    body: (name: string, effects: string) => `${name}. ${effects}`,
    leaves: (what: string, undo: string) => `Sent elsewhere: ${what}. ${undo}`,
    undo: {
      'nothing to undo': 'It only reads.',
      possible: 'Can be undone.',
      impossible: 'Cannot be undone.',
    },
  },
  requests: {
    title: (count: number) =>
      plural('en', count, { one: '# request is waiting', other: '# requests are waiting' }),
    body: (name: string) => `All from one run; the weightiest: “${name}”. Open Approvals to decide.`,
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
  serverQuestion: {
    title: 'A server has a question',
    body: 'Open the conversation to read it. Its words are a stranger’s.',
  },
  budget: {
    title: 'Spending',
    reached: (budget: string, percent: number) => `${percent} % of the limit “${budget}” is spent.`,
    held: 'Unattended work is held: it spent far more than usual.',
  },
  reminder: {
    begins: (when: string) => `Begins ${when}.`,
    began: (when: string) => `Began ${when}.`,
    late: 'This reminder is late: the gateway was not running.',
  },
  finished: { title: 'A run has finished', body: 'Open it to see what was done.' },
  summary: { title: 'Your summary is ready', body: 'Open Today to read it.' },
  test: 'Notifications reach this device.',
} as const

export type PushWords = Translated<typeof english>
