/** Owns the one line for what needs the operator, and the place where it is looked at. Pure. */
import type { Need } from './needs.ts'

/** The words for it where only one line is left. */
export function titleOf(need: Need): string {
  switch (need.kind) {
    case 'approval':
      return need.approval.card.headline
    case 'question':
      // What a server asks are a stranger's words: its name stands for them.
      return need.question.server?.server ?? need.question.text
    case 'pairing':
      return need.request.name
    case 'automation':
    case 'skill':
      return need.name
    case 'notice':
    case 'repair':
      return need.text
  }
}

/** Where it is looked at. */
export function addressOf(need: Need): string {
  switch (need.kind) {
    case 'approval':
      return `/approvals/${need.approval.code}`
    case 'question':
      return `/chat/${need.question.session}`
    case 'pairing':
      return '/devices'
    case 'automation':
      return `/automations/${need.id}`
    case 'skill':
      return `/extensions/${need.name}/waiting`
    case 'notice':
      return '/activity'
    case 'repair':
      return need.to
  }
}
