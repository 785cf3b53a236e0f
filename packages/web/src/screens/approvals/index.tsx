/** The Approvals screen: what waits for you, and the decision about it. */

import { type ApprovalView, callsWaiting, pendingInOrder, type RuleRequest } from '@countersign/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useArmed } from '../../deciding/armed.ts'
import { ApprovalCard, headlineId } from '../../deciding/card.tsx'
import { useDecisions } from '../../deciding/decisions.ts'
import { useKeys } from '../../environment/keys.tsx'
import { usePlace } from '../../environment/place.ts'
import { useGateway } from '../../environment/queries.ts'
import type { Screen } from '../../environment/screen.ts'
import { useLive, useServices } from '../../environment/services.tsx'
import {
  ApproveButton,
  Button,
  ButtonLink,
  EmptyState,
  ErrorState,
  ListDetail,
  Skeleton,
  StaleNote,
  useListKeys,
  useNotify,
} from '../../kit/index.ts'
import { words } from '../../words/approvals.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { DecideBar, scopeKeys, wider } from './decide-bar.tsx'
import { type DenialChoice, DenyDialog } from './deny-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { filtered, grouped, mayBeBatched, toolOf } from './groups.ts'
import { ApprovalList, Decided, Filters } from './list.tsx'
import { RuleDialog } from './rule-dialog.tsx'

export const screen: Screen = { component: ApprovalsScreen }

const extension = 24

type Window = 'deny' | 'deny and stop' | 'deny all' | 'ask' | 'edit' | 'rule' | null

function ApprovalsScreen() {
  const place = usePlace()
  const notify = useNotify()
  const { decider } = useServices()
  const state = useLive((live) => live.state)
  const online = useLive((live) => live.link.kind === 'live')
  const decisions = useDecisions()
  const waiting = useMemo(() => pendingInOrder(state), [state])
  const shown = useMemo(
    () =>
      filtered(waiting, { tier: place.search['tier'], tool: place.search['tool'], run: place.search['run'] }),
    [waiting, place.search],
  )
  const groups = useMemo(() => grouped(shown), [shown])
  const order = groups.flatMap((group) => group.approvals)
  const ref = place.parts[0] ?? null
  const [window, setWindow] = useState<Window>(null)
  const [asking, setAsking] = useState(false)
  const [editing, setEditing] = useState<{ busy: boolean; problem: string | null }>({
    busy: false,
    problem: null,
  })
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())

  const live = waiting.find(({ id, code }) => id === ref || code === ref)
  const detail = useGateway(['approval', ref], (client) => client.approval(ref ?? ''), {
    enabled: ref !== null,
  })
  const approval: ApprovalView | undefined = live ?? detail.data?.approval
  const replaced = useGateway(
    ['approval', approval?.replaces ?? ''],
    (client) => client.approval(approval?.replaces ?? ''),
    {
      enabled: approval?.replaces != null,
    },
  )
  if (approval && !opened.has(approval.id)) setOpened(new Set(opened).add(approval.id))
  const isPending = approval?.state === 'pending'
  const busy = approval !== undefined && decisions.busy.has(approval.id)
  const armed = useArmed(approval?.digest ?? '', busy)
  const selected = order.filter(({ id }) => picked.has(id))
  const toHeadline = useRef(false)
  useEffect(() => {
    if (approval?.id === undefined || !toHeadline.current) return
    toHeadline.current = false
    focusHeadline()
  }, [approval?.id])

  const toggle = (ids: readonly string[]) => {
    const next = new Set(picked)
    const on = !ids.every((id) => next.has(id))
    for (const id of ids)
      if (on) next.add(id)
      else next.delete(id)
    setPicked(next)
  }
  const close = () => setWindow(null)
  const move = (code: string) => place.go(place.href([code], place.search), { replace: true })
  const similarTo = (one: ApprovalView) =>
    waiting.filter(
      ({ id, run, ...other }) => id !== one.id && run === one.run && toolOf(other) === toolOf(one),
    )

  async function approve(grant?: Parameters<typeof decisions.approve>[1]) {
    if (!approval || !isPending || !armed || !online) return
    const outcome = await decisions.approve(approval, grant)
    if (outcome.kind === 'decided') {
      close()
      const next = order[order.findIndex(({ id }) => id === approval.id) + 1]
      if (next) {
        toHeadline.current = true
        move(next.code)
      } else focusHeadline()
    }
  }
  async function deny(denial: DenialChoice) {
    close()
    if (!approval) return
    if (denial.similar) await decisions.denyAll([approval, ...similarTo(approval)], denial)
    else await decisions.deny(approval, denial)
  }
  async function denyAll(denial: DenialChoice) {
    close()
    await decisions.denyAll(selected, denial)
    setPicked(new Set())
  }
  async function approveAll() {
    const batch = selected.filter((one) => mayBeBatched(one, opened))
    await decisions.approveAll(batch)
    setPicked(new Set())
  }
  async function extend() {
    if (!approval) return
    const outcome = await decider.extend(approval, extension)
    notify(
      outcome.kind === 'done'
        ? { text: words.extend.done }
        : {
            text: outcome.kind === 'refused' ? outcome.error.message : words.extend.unconfirmed,
            tone: 'bad',
          },
    )
  }
  async function ask(question: string) {
    if (!approval) return
    setAsking(true)
    const outcome = await decider.ask(approval, question)
    setAsking(false)
    if (outcome.kind === 'done') close()
    else
      notify({
        text: outcome.kind === 'refused' ? outcome.error.message : words.ask.noAnswer,
        tone: 'bad',
      })
  }
  async function edit(args: string) {
    if (!approval) return
    setEditing({ busy: true, problem: null })
    const outcome = await decider.edit(approval, args)
    setEditing({
      busy: false,
      problem: outcome.kind === 'refused' ? `${outcome.error.message} ${outcome.error.next}` : null,
    })
    if (outcome.kind !== 'done') return
    close()
    notify({ text: words.edit.saved })
  }

  useListKeys(words.title, {
    ids: order.map(({ code }) => code),
    current: approval?.code ?? null,
    onMove: move,
    onOpen: move,
    onSelect: () => {
      if (approval && isPending) toggle([approval.id])
    },
    onBack: () => place.go(place.href([], place.search)),
  })
  useKeys(
    words.title,
    !approval || !isPending || !online
      ? []
      : [
          { keys: 'a', label: words.decide.approveOnce, run: () => void approve() },
          ...wider(approval).map(({ scope }) => ({
            keys: scopeKeys[scope],
            label: words.keys.approve[scope],
            run: () => void approve({ scope }),
          })),
          ...(wider(approval).length === 0
            ? []
            : [{ keys: 'p', label: words.keys.createRule, run: () => setWindow('rule') }]),
          { keys: 'e', label: words.keys.edit, run: () => setWindow('edit') },
          { keys: 'd', label: words.decide.deny, run: () => setWindow('deny') },
          { keys: 'shift+d', label: words.keys.denyAndStop, run: () => setWindow('deny and stop') },
          { keys: 'q', label: words.decide.askAgent, run: () => setWindow('ask') },
          { keys: 'z', label: words.keys.extend, run: () => void extend() },
        ],
  )

  const behind = callsWaiting(state)
  const gone = order.find(({ replaces }) => replaces !== null && replaces === approval?.id)
  return (
    <>
      <ListDetail
        title={words.title}
        note={waiting.length === 0 ? undefined : words.waiting(waiting.length)}
        tools={waiting.length > 1 ? <Filters approvals={waiting} /> : undefined}
        backTo={place.href([], place.search)}
        list={
          <>
            <StaleNote at={null} className="px-3" />
            {selected.length === 0 ? null : (
              <BatchBar
                selected={selected}
                opened={opened}
                onApprove={() => void approveAll()}
                onDeny={() => setWindow('deny all')}
                onClear={() => setPicked(new Set())}
              />
            )}
            {groups.length === 0 ? (
              <EmptyState
                className="px-3"
                sentence={waiting.length === 0 ? words.empty : words.emptyFilter}
                action={<ButtonLink to="/policy">{words.seePolicy}</ButtonLink>}
              />
            ) : (
              <ApprovalList
                groups={groups}
                current={approval?.code ?? null}
                selection={{ ids: picked, toggle }}
              />
            )}
            {behind === 0 ? null : <p className="px-3 py-2 text-small text-ink-3">{words.behind(behind)}</p>}
            <Decided decided={[...state.decided].toReversed()} />
          </>
        }
        detail={
          ref === null ? null : approval === undefined ? (
            detail.error === null ? (
              <Skeleton />
            ) : (
              <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />
            )
          ) : (
            <>
              {gone === undefined ? null : (
                <p className="mb-4">
                  {words.card.reevaluated}{' '}
                  <ButtonLink to={`/approvals/${gone.code}`}>{words.card.toReplacement}</ButtonLink>
                </p>
              )}
              <ApprovalCard
                approval={approval}
                detail={detail.data}
                replaced={approval.replaces === null ? undefined : replaced.data}
                onExtend={isPending && online ? () => void extend() : null}
              />
            </>
          )
        }
        placeholder={waiting.length === 0 ? null : <p className="text-ink-2">{words.choose}</p>}
        {...(approval ? { detailTitle: approval.card.headline } : {})}
        {...(approval && isPending
          ? {
              footer: (
                <DecideBar
                  approval={approval}
                  armed={armed}
                  busy={busy}
                  unconfirmed={decisions.unconfirmed.has(approval.id)}
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
      {window === 'deny all' && selected[0] ? (
        <DenyDialog
          approval={selected[0]}
          similar={0}
          stopFirst={false}
          onClose={close}
          onDeny={(denial) => void denyAll(denial)}
        />
      ) : null}
      {!approval || !isPending ? null : window === 'deny' || window === 'deny and stop' ? (
        <DenyDialog
          approval={approval}
          similar={similarTo(approval).length}
          stopFirst={window === 'deny and stop'}
          onClose={close}
          onDeny={(denial) => void deny(denial)}
        />
      ) : window === 'ask' ? (
        <AskDialog
          approval={approval}
          busy={asking}
          onClose={close}
          onAsk={(question) => void ask(question)}
        />
      ) : window === 'edit' && detail.data ? (
        <EditDialog detail={detail.data} {...editing} onClose={close} onSave={(args) => void edit(args)} />
      ) : window === 'rule' ? (
        <RuleDialog
          approval={approval}
          busy={busy}
          onClose={close}
          onSave={(rule: RuleRequest) => void approve(rule)}
        />
      ) : null}
    </>
  )
}

/** Where one goes on reading after a decision, away from everything that decides. */
function focusHeadline(): void {
  document.getElementById(headlineId)?.focus()
}

function BatchBar({
  selected,
  opened,
  onApprove,
  onDeny,
  onClear,
}: {
  selected: readonly ApprovalView[]
  opened: ReadonlySet<string>
  onApprove: () => void
  onDeny: () => void
  onClear: () => void
}) {
  const ready = selected.filter((approval) => mayBeBatched(approval, opened))
  const rest = selected.length - ready.length
  return (
    <div
      className="mb-2 rounded-2 border border-line bg-sheet px-3 py-2"
      role="group"
      aria-label={words.batch.label}
    >
      <p className="text-small text-ink-2">
        {words.batch.selected(selected.length)}
        {rest === 0 ? '' : words.batch.notReady(rest)}
      </p>
      <div className="mt-1.5 flex flex-wrap gap-2">
        <Button size="small" onClick={onDeny}>
          {words.batch.deny(selected.length)}
        </Button>
        <Button size="small" look="quiet" onClick={onClear}>
          {words.batch.clear}
        </Button>
        <span className="flex-1" />
        <ApproveButton size="small" disabled={ready.length === 0} onClick={onApprove}>
          {words.batch.approve(ready.length)}
        </ApproveButton>
      </div>
    </div>
  )
}
