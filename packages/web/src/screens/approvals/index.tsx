/** The Approvals screen: what waits for you, and the decision about it. */
import type { ApprovalView, GrantRequest } from '@countersign/contract'
import { useEffect, useRef, useState } from 'react'
import { useArmed } from '../../deciding/arming-delay.ts'
import { CallResult } from '../../deciding/call-result.tsx'
import { ApprovalCard, headlineId } from '../../deciding/card.tsx'
import { useDecisions } from '../../deciding/decisions.ts'
import { UnaskedRows } from '../../deciding/unasked.tsx'
import { useStatus } from '../../environment/queries.ts'
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
import { type OpenGroups, useOpenGroups } from './open-groups.ts'
import { Questions } from './questions.tsx'
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
  const openGroups = useOpenGroups()
  const [window, setWindow] = useState<OpenWindow | 'deny all' | null>(null)
  const close = () => setWindow(null)
  const pending = approval?.state === 'pending' ? approval : undefined
  const busy = approval !== undefined && decisions.busy.has(approval.id)
  const armed = useArmed(approval?.digest ?? '', busy)
  const move = (code: string) => route.go(route.href([code], route.search), { replace: true })
  const moveOn = useMovingOn(approval, order, move)
  useFollowedEdit(requests.edited, waiting, move)

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
    if (similar) {
      const others = similarTo(waiting, pending)
      moveOn(others)
      void decisions.denyAll([pending, ...others], denial)
      return
    }
    moveOn()
    void decisions.deny(pending, denial)
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
    onSelect: ({ id }) => selection.toggle(openGroups.rowOf(inbox.groups, id)),
    onApprove: (grant) => void approve(grant),
    onShow: setWindow,
    onExtend: extend,
  })
  const [firstSelected] = selection.selected
  return (
    <>
      <ListDetail
        title={words.title}
        alone={inbox.count === 0 && chosen.ref === null}
        note={inbox.count === 0 ? undefined : words.waiting(inbox.count)}
        tools={waiting.length > 1 ? <Filters approvals={waiting} /> : undefined}
        backTo={route.href([], route.search)}
        list={
          <InboxList
            inbox={inbox}
            current={approval?.code ?? null}
            selection={selection}
            openGroups={openGroups}
            online={online}
          />
        }
        detail={
          chosen.ref === null ? null : (
            <Detail chosen={chosen} order={order} onExtend={online && pending ? extend : null} />
          )
        }
        placeholder={waiting.length === 0 ? null : <p className="text-ink-2">{words.choose}</p>}
        {...(approval ? { detailTitle: approval.card.headline } : {})}
        {...(selection.selected.length > 0
          ? {
              footer: (
                <BatchBar
                  selection={selection}
                  onApprove={(approvals) => void approveAll(approvals)}
                  onDeny={() => setWindow('deny all')}
                />
              ),
            }
          : pending
            ? {
                footer: (
                  <DecideBar
                    approval={pending}
                    armed={armed}
                    busy={busy}
                    unconfirmed={decisions.unconfirmed.has(pending.id)}
                    blocked={online ? null : words.offline}
                    onDeny={() => setWindow('deny')}
                    onDenyAlways={() => setWindow('deny always')}
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

/** After an edit: to the request that took the place of the edited one, as soon as it is there. */
function useFollowedEdit(
  edited: string | null,
  waiting: readonly ApprovalView[],
  move: (code: string) => void,
): void {
  const followed = useRef<string | null>(null)
  const successor = waiting.find(({ replaces }) => edited !== null && replaces === edited)
  useEffect(() => {
    if (successor === undefined || followed.current === successor.id) return
    followed.current = successor.id
    move(successor.code)
  }, [successor, move])
}

/** After a decision: to the next request of the list, with the focus where one goes on reading. */
function useMovingOn(
  approval: ApprovalView | undefined,
  order: readonly ApprovalView[],
  move: (code: string) => void,
): (gone?: readonly ApprovalView[]) => void {
  const toHeadline = useRef(false)
  const id = approval?.id
  useEffect(() => {
    if (id === undefined || !toHeadline.current) return
    toHeadline.current = false
    focusHeadline()
  }, [id])
  return (gone = []) => {
    const left = order.filter((each) => each.id === id || !gone.includes(each))
    const place = left.findIndex((each) => each.id === id)
    // After the last one what is left above it.
    const next = left[place + 1] ?? left[place - 1]
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
  inbox: { waiting, groups, questions, behind, decided },
  current,
  selection,
  openGroups,
  online,
}: {
  inbox: Inbox
  current: string | null
  selection: Selection
  openGroups: OpenGroups
  online: boolean
}) {
  return (
    <>
      <StaleNote at={null} className="px-3" />
      <Questions questions={questions} online={online} />
      {groups.length === 0 && questions.length === 0 ? (
        <EmptyState
          className="px-2"
          sentence={waiting.length === 0 ? words.empty : words.emptyFilter}
          action={<ButtonLink to="/policy">{words.seePolicy}</ButtonLink>}
        />
      ) : (
        <ApprovalList groups={groups} current={current} selection={selection} openGroups={openGroups} />
      )}
      {behind === 0 ? null : <p className="px-3 py-2 text-small text-ink-3">{words.behind(behind)}</p>}
      {/* They come later than the list, and must not move it under a thumb. */}
      <UnaskedRows className="mt-3 space-y-2 px-3" />
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
  const status = useStatus()
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
      <ApprovalCard
        approval={approval}
        detail={detail}
        replaced={replaced}
        model={status.data?.model.model ?? ''}
        onExtend={onExtend}
      />
      {approval.state === 'approved' ? <CallResult approval={approval} /> : null}
    </>
  )
}
