/**
 * Owns which requests are one row (those of one run with the same tool, rules, tier and place) and which rows are of one
 * task. Pure.
 */
import type { ApprovalView } from '@countersign/contract'

export interface ApprovalGroup {
  readonly key: string
  /** In the order of the inbox; never empty. */
  readonly approvals: readonly ApprovalView[]
}

export interface ApprovalFilter {
  readonly tier?: string | undefined
  readonly tool?: string | undefined
  readonly run?: string | undefined
}

export function grouped(approvals: readonly ApprovalView[]): readonly ApprovalGroup[] {
  const groups = new Map<string, ApprovalView[]>()
  for (const approval of approvals) {
    const key = keyOf(approval)
    const known = groups.get(key)
    if (known) known.push(approval)
    else groups.set(key, [approval])
  }
  const rows = [...groups].map(([key, members]) => ({ key, approvals: members }))
  return tasksOf(rows).flatMap((task) => task.groups)
}

export interface ApprovalTask {
  /** The conversation, or the work that began by itself. */
  readonly session: string
  readonly groups: readonly ApprovalGroup[]
}

/** Each in the place of its most urgent row. */
export function tasksOf(groups: readonly ApprovalGroup[]): readonly ApprovalTask[] {
  const tasks = Map.groupBy(groups, ({ approvals }) => approvals[0]?.session ?? '')
  return [...tasks].map(([session, members]) => ({ session, groups: members }))
}

export function filtered(
  approvals: readonly ApprovalView[],
  filter: ApprovalFilter,
): readonly ApprovalView[] {
  return approvals.filter(
    (approval) =>
      (filter.tier === undefined || String(approval.card.tier) === filter.tier) &&
      (filter.tool === undefined || toolOf(approval) === filter.tool) &&
      (filter.run === undefined || approval.run === filter.run),
  )
}

export function toolOf({ card }: Pick<ApprovalView, 'card'>): string {
  return card.tool
}

/** Nothing critical is decided with others, and what is outward only when each was opened. */
export function mayBeBatched(approval: ApprovalView, opened: ReadonlySet<string>): boolean {
  return approval.card.tier <= 2 || (approval.card.tier === 3 && opened.has(approval.id))
}

/** A critical request stands alone. */
function keyOf(approval: ApprovalView): string {
  const { card, run, id } = approval
  if (card.tier === 4) return id
  const rules = card.why.rules.map((rule) => rule.id).join()
  return JSON.stringify([run, toolOf(approval), rules, card.tier, destinationOf(approval)])
}

function destinationOf({ card: { preview, effects } }: ApprovalView): string {
  if (preview.kind === 'http') return URL.parse(preview.url)?.host ?? preview.url
  return effects.map((effect) => `${effect.verb} ${effect.scope}`).join()
}
