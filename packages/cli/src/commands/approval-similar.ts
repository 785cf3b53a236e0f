/** Owns which waiting requests are alike: those of one run with the same tool, rules, tier and place. Pure. */
import type { ApprovalView } from '@countersign/contract'

/** Those that are like this one, without it. A critical request is like no other. */
export function similarTo(approval: ApprovalView, waiting: readonly ApprovalView[]): readonly ApprovalView[] {
  if (approval.card.tier === 4) return []
  const kind = kindOf(approval)
  return waiting.filter(
    (other) => other.id !== approval.id && other.state === 'pending' && kindOf(other) === kind,
  )
}

function kindOf({ run, card }: ApprovalView): string {
  const rules = card.why.rules.map(({ id }) => id).join()
  return JSON.stringify([run, card.tool, rules, card.tier, destinationOf(card)])
}

function destinationOf({ preview, effects }: ApprovalView['card']): string {
  if (preview.kind === 'http') return URL.parse(preview.url)?.host ?? preview.url
  return effects.map(({ verb, scope }) => `${verb} ${scope}`).join()
}
