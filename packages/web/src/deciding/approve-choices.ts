/** Owns what one can say yes to in a request: this once, more of the same, or a rule; and how the yes is called. */
import type { ApprovalView, GrantOption } from '@countersign/contract'
import { words } from '../words/approvals.tsx'

export const scopeKeys = { run: 'r', session: 's', time: 't' } as const

export type WiderOption = GrantOption & { readonly scope: keyof typeof scopeKeys }

export function wider({ options }: ApprovalView): WiderOption[] {
  return options.flatMap(({ scope, sentence }) =>
    scope === 'once' || scope === 'rule' ? [] : [{ scope, sentence }],
  )
}

export function offersRule({ options }: ApprovalView): boolean {
  return options.some(({ scope }) => scope === 'rule')
}

export function approveLabel({ card }: ApprovalView, unconfirmed: boolean): string {
  if (unconfirmed) return words.decide.unconfirmed
  return card.tier === 4 ? words.decide.approveWithPasskey : words.decide.approveOnce
}
