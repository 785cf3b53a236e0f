/** Owns the keys of the screen: moving through the list, and what they do to the request that is open. */
import type { ApprovalView, GrantRequest } from '@countersign/contract'
import { offersRule, scopeKeys, wider } from '../../deciding/approve-choices.ts'
import { useKeys } from '../../environment/keys.tsx'
import { useRoute } from '../../environment/route.ts'
import { useListKeys } from '../../kit/index.ts'
import { words } from '../../words/approvals.tsx'
import type { OpenWindow } from './windows.tsx'

export interface ApprovalKeys {
  readonly order: readonly ApprovalView[]
  readonly current: ApprovalView | undefined
  /** The same, if it can be decided here and now. */
  readonly open: ApprovalView | undefined
  readonly onMove: (code: string) => void
  readonly onSelect: (approval: ApprovalView) => void
  readonly onApprove: (grant?: GrantRequest) => void
  readonly onShow: (window: OpenWindow) => void
  readonly onExtend: () => void
}

export function useApprovalKeys(parts: ApprovalKeys): void {
  const { order, current, open, onMove, onSelect, onApprove, onShow, onExtend } = parts
  const route = useRoute()
  useListKeys(words.title, {
    ids: order.map(({ code }) => code),
    current: current?.code ?? null,
    onMove,
    onOpen: onMove,
    onSelect: () => {
      if (current?.state === 'pending') onSelect(current)
    },
    onBack: () => route.go(route.href([], route.search)),
  })
  const scopes = open === undefined ? [] : wider(open)
  useKeys(
    words.title,
    open === undefined
      ? []
      : [
          { keys: 'a', label: words.decide.approveOnce, run: () => onApprove() },
          ...scopes.map(({ scope }) => ({
            keys: scopeKeys[scope],
            label: words.keys.approve[scope],
            run: () => onApprove({ scope }),
          })),
          ...(offersRule(open)
            ? [{ keys: 'p', label: words.keys.createRule, run: () => onShow('rule') }]
            : []),
          { keys: 'e', label: words.keys.edit, run: () => onShow('edit') },
          { keys: 'd', label: words.decide.deny, run: () => onShow('deny') },
          { keys: 'shift+d', label: words.keys.denyAndStop, run: () => onShow('deny and stop') },
          { keys: 'n', label: words.keys.denyAlways, run: () => onShow('deny always') },
          { keys: 'q', label: words.decide.askAgent, run: () => onShow('ask') },
          { keys: 'z', label: words.keys.extend, run: onExtend },
        ],
  )
}
