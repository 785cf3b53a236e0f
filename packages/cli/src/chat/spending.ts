/** Says what happens to money while a person looks on: a budget that fills, and work that is held. */
import type { EventBody } from '@countersign/contract'
import { money } from '../output/money.ts'

export type SpendingBody = Extract<
  EventBody,
  { type: 'budget.reached' | 'spending.held' | 'spending.released' }
>

export function isSpending(body: EventBody): body is SpendingBody {
  return body.type === 'budget.reached' || body.type === 'spending.held' || body.type === 'spending.released'
}

/** A warning needs the operator; a note does not. */
export function spendingWords(body: SpendingBody): { readonly warns: boolean; readonly text: string } {
  switch (body.type) {
    case 'budget.reached':
      return {
        warns: false,
        text: `The budget ${body.budget} is at ${body.percent} %: ${money(body.spentUsd)} of ${money(body.limitUsd)}.`,
      }
    case 'spending.held':
      return {
        warns: true,
        text: `⚠ Unattended work is on hold: ${ended(body.reason)} Resume it with \`countersign cost resume\`.`,
      }
    case 'spending.released':
      return { warns: false, text: `Unattended work was resumed by ${body.by}.` }
  }
}

function ended(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`
}
