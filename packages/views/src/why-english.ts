/** The words of the chain from an effect back to a person. Headlines, reasons and rules are as the ledger has them. */
import { type Translated, tierNames } from '@countersign/contract'

export const englishWhy = {
  you: 'You, the operator.',
  itself: 'Countersign itself, by your settings.',
  requester: (kind: string) => `Started by: ${kind}.`,
  done: (headline: string) => `${headline}: done.`,
  ended: (headline: string, outcome: string, summary: string) => `${headline}: ${outcome}. ${summary}`,
  permit: {
    gateway: 'The gateway sealed a single-use permit. It was spent.',
    device: 'Your device sealed a single-use permit. It was spent.',
    passkey: 'Your passkey sealed a single-use permit. It was spent.',
  },
  waiting: (code: string) => `Approval ${code} is waiting for you.`,
  decided: {
    approved: (code: string, by: string) => `Approval ${code} was approved by ${by}.`,
    denied: (code: string, by: string) => `Approval ${code} was denied by ${by}.`,
    expired: (code: string, by: string) => `Approval ${code} expired (${by}).`,
    withdrawn: (code: string, by: string) => `Approval ${code} was withdrawn by ${by}.`,
    superseded: (code: string, by: string) => `Approval ${code} was replaced by ${by}.`,
  },
  tiers: tierNames.en,
  decision: (name: string, reason: string, rules: string) => `${name}. ${reason} Rule: ${rules}.`,
  noRule: 'none',
  raised: (reasons: string) => ` Raised: ${reasons}.`,
  proposed: (tool: string, turn: number) => `The model proposed ${tool} in turn ${turn}.`,
  undo: 'An undo that was requested.',
  run: {
    running: 'A run of the assistant, still running.',
    parked: 'A run of the assistant, waiting.',
    stopped: 'A run of the assistant, ended.',
  },
  message: (text: string) => `“${text}”`,
} as const

export type WhyWords = Translated<typeof englishWhy>
