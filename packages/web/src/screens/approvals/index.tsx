/** The Approvals screen: what waits for you, and the decision about it. */
import type { ApprovalView, GrantRequest } from '@countersign/contract'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useArmed } from '../../deciding/arming-delay.ts'
import { ApprovalCard, headlineId } from '../../deciding/card.tsx'
import { useDecisions } from '../../deciding/decisions.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { useLive } from '../../environment/services.tsx'
import { ButtonLink, EmptyState, ErrorState, ListDetail, Skeleton, StaleNote } from '../../kit/index.ts'
import { words } from '../../words/approvals.tsx'
import { BatchBar } from './batch-bar.tsx'
import { DecideBar } from './decide-bar.tsx'
import { type DenialChoice, DenyDialog } from './deny-dialog.tsx'
import { type ChosenApproval, type Inbox, similarTo, useChosenApproval, useInbox } from './inbox.ts'
import { useApprovalKeys } from './keys.ts'
import { ApprovalList, Decided, Filters } from './list.tsx'
import { useRequests } from './requests.ts'
import { type Selection, useSelection } from './selection.ts'
import { type OpenWindow, RequestWindow } from './windows.tsx'

export const screen: Screen = { component: ApprovalsScreen }

function ApprovalsScreen() {
  const route = useRoute()
  const online = useLive((live) => live.link.kind === 'live')
  const inbox = useInbox()
  const { waiting, order } = inbox
  const chosen = useChosenApproval(waiting)
  const { approval } = chosen
  const selection = useSelection(order, approval?.id)
  const decisions = useDecisions()
  const requests = useRequests()
  const [window, setWindow] = useState<OpenWindow | 'deny all' | null>(null)
  const close = () => setWindow(null)
  const pending = approval?.state === 'pending' ? approval : undefined
  const busy = approval !== undefined && decisions.busy.has(approval.id)
  const armed = useArmed(approval?.digest ?? '', busy)
  const move = (code: string) => route.go(route.href([code], route.search), { replace: true })
  const moveOn = useMovingOn(approval, order, move)

  async function approve(grant?: GrantRequest) {
    if (pending === undefined || !armed || !online) return
    const outcome = await decisions.approve(pending, grant)
    if (outcome.kind !== 'decided') return
    close()
    moveOn()
  }
  function deny({ similar, ...denial }: DenialChoice) {
    close()
    if (pending === undefined) return
    if (similar) void decisions.denyAll([pending, ...similarTo(waiting, pending)], denial)
    else void decisions.deny(pending, denial)
  }
  async function denyAll({ similar: _alone, ...denial }: DenialChoice) {
    close()
    await decisions.denyAll(selection.selected, denial)
    selection.clear()
  }
  async function approveAll(approvals: readonly ApprovalView[]) {
    await decisions.approveAll(approvals)
    selection.clear()
  }
  const extend = () => {
    if (pending !== undefined) void requests.extend(pending)
  }
  useApprovalKeys({
    order,
    current: approval,
    open: online ? pending : undefined,
    onMove: move,
    onSelect: ({ id }) => selection.toggle([id]),
    onApprove: (grant) => void approve(grant),
    onShow: setWindow,
    onExtend: extend,
  })

  const [firstSelected] = selection.selected
  return (
    <>
      <ListDetail
        title={words.title}
        note={waiting.length === 0 ? undefined : words.waiting(waiting.length)}
        tools={waiting.length > 1 ? <Filters approvals={waiting} /> : undefined}
        backTo={route.href([], route.search)}
        list={
          <InboxList inbox={inbox} current={approval?.code ?? null} selection={selection}>
            <BatchBar
              selection={selection}
              onApprove={(approvals) => void approveAll(approvals)}
              onDeny={() => setWindow('deny all')}
            />
          </InboxList>
        }
        detail={
          chosen.ref === null ? null : (
            <Detail chosen={chosen} order={order} onExtend={online && pending ? extend : null} />
          )
        }
        placeholder={waiting.length === 0 ? null : <p className="text-ink-2">{words.choose}</p>}
        {...(approval ? { detailTitle: approval.card.headline } : {})}
        {...(pending
          ? {
              footer: (
                <DecideBar
                  approval={pending}
                  armed={armed}
                  busy={busy}
                  unconfirmed={decisions.unconfirmed.has(pending.id)}
                  blocked={online ? null : words.offline}
                  onDeny={() => setWindow('deny')}
                  onEdit={() => setWindow('edit')}
                  onAsk={() => setWindow('ask')}
                  onApprove={(grant) => void approve(grant)}
                  onRule={() => setWindow('rule')}
                />
              ),
            }
          : {})}
      />
      {window === 'deny all' && firstSelected ? (
        <DenyDialog
          approval={firstSelected}
          similar={0}
          stopFirst={false}
          onClose={close}
          onDeny={(denial) => void denyAll(denial)}
        />
      ) : null}
      {pending && window !== null && window !== 'deny all' ? (
        <RequestWindow
          open={window}
          approval={pending}
          detail={chosen.detail}
          similar={similarTo(waiting, pending).length}
          busy={busy}
          requests={requests}
          onClose={close}
          onDeny={deny}
          onRule={(rule) => void approve(rule)}
        />
      ) : null}
    </>
  )
}

/** After a decision: to the next request of the list, with the focus where one goes on reading. */
function useMovingOn(
  approval: ApprovalView | undefined,
  order: readonly ApprovalView[],
  move: (code: string) => void,
): () => void {
  const toHeadline = useRef(false)
  const id = approval?.id
  useEffect(() => {
    if (id === undefined || !toHeadline.current) return
    toHeadline.current = false
    focusHeadline()
  }, [id])
  return () => {
    const next = order[order.findIndex((each) => each.id === id) + 1]
    if (next === undefined) return focusHeadline()
    toHeadline.current = true
    move(next.code)
  }
}

/** Away from everything that decides. */
function focusHeadline(): void {
  document.getElementById(headlineId)?.focus()
}

function InboxList({
  inbox: { waiting, groups, behind, decided },
  current,
  selection,
  children,
}: {
  inbox: Inbox
  current: string | null
  selection: Selection
  children: ReactNode
}) {
  return (
    <>
      <StaleNote at={null} className="px-3" />
      {children}
      {groups.length === 0 ? (
        <EmptyState
          className="px-3"
          sentence={waiting.length === 0 ? words.empty : words.emptyFilter}
          action={<ButtonLink to="/policy">{words.seePolicy}</ButtonLink>}
        />
      ) : (
        <ApprovalList groups={groups} current={current} selection={selection} />
      )}
      {behind === 0 ? null : <p className="px-3 py-2 text-small text-ink-3">{words.behind(behind)}</p>}
      <Decided decided={decided} />
    </>
  )
}

function Detail({
  chosen: { approval, detail, replaced, error, retry },
  order,
  onExtend,
}: {
  chosen: ChosenApproval
  order: readonly ApprovalView[]
  onExtend: (() => void) | null
}) {
  if (approval === undefined)
    return error === null ? <Skeleton /> : <ErrorState error={error} onRetry={retry} />
  const successor = order.find(({ replaces }) => replaces === approval.id)
  return (
    <>
      {successor === undefined ? null : (
        <p className="mb-4">
          {words.card.reevaluated}{' '}
          <ButtonLink to={`/approvals/${successor.code}`}>{words.card.toReplacement}</ButtonLink>
        </p>
      )}
      <ApprovalCard approval={approval} detail={detail} replaced={replaced} onExtend={onExtend} />
    </>
  )
}
