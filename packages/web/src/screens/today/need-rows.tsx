/** Shows what needs the operator: each thing with the one step that settles it. */

import type { ApprovalView, PairingRequestView } from '@countersign/contract'
import {
  CalendarX,
  CircleHelp,
  type LucideIcon,
  MonitorSmartphone,
  NotebookPen,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { InlineDecision } from '../../deciding/inline-decision.tsx'
import {
  Button,
  ButtonLink,
  chainWords,
  classes,
  KeyHint,
  Safe,
  Sheet,
  TierChip,
  Time,
  useNow,
} from '../../kit/index.ts'
import { leftWords } from '../../language/format.ts'
import { words } from '../../words/today.tsx'
import { lineClasses } from './block.tsx'
import { addressOf, titleOf } from './need-words.ts'
import type { Need } from './needs.ts'
import { QuestionForm } from './question-form.tsx'
import type { Attention, SteadyRow } from './steady-order.ts'

export function NeedRows({
  rows,
  attention,
  online,
  onArchive,
}: {
  rows: readonly SteadyRow<Need>[]
  attention: Attention
  online: boolean
  onArchive: (key: string) => void
}) {
  return (
    <Sheet padded={false}>
      <ul {...attention} aria-label={words.needs.list}>
        {rows.map(({ key, value, gone }, place) => (
          <li
            key={key}
            className={classes(lineClasses, 'flex-wrap', gone && 'text-ink-3')}
            aria-disabled={gone}
          >
            <span className="w-5 shrink-0 pt-px max-sm:hidden">
              {place < 9 && !gone ? <KeyHint keys={String(place + 1)} /> : null}
            </span>
            {gone ? (
              <p className="min-w-0 flex-1">{words.needs.settled(<Safe text={titleOf(value)} />)}</p>
            ) : (
              <NeedBody need={value} online={online} onArchive={onArchive} />
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

function NeedBody({
  need,
  online,
  onArchive,
}: {
  need: Need
  online: boolean
  onArchive: (key: string) => void
}) {
  switch (need.kind) {
    case 'approval':
      return <ApprovalNeed approval={need.approval} />
    case 'question':
      return (
        <NeedLine icon={CircleHelp} kind={words.needs.question} at={need.question.at}>
          <QuestionForm question={need.question} online={online} />
        </NeedLine>
      )
    case 'pairing':
      return <PairingNeed request={need.request} />
    case 'automation':
      return (
        <NeedLine
          icon={CalendarX}
          kind={need.state === 'failed' ? words.needs.automationFailed : words.needs.automationMissed}
          at={need.at}
          action={
            <>
              <Button variant="quiet" onClick={() => onArchive(need.key)}>
                {words.needs.putAside}
              </Button>
              <ButtonLink to={addressOf(need)}>{words.needs.seeWhy}</ButtonLink>
            </>
          }
        >
          <p className="font-medium">
            <Safe text={need.name} />
          </p>
          <p className="text-small text-ink-2">
            {need.text === null ? (
              need.state === 'missed' ? (
                words.needs.missed
              ) : (
                words.needs.failed
              )
            ) : (
              <Safe text={need.text} />
            )}
          </p>
        </NeedLine>
      )
    case 'skill':
      return (
        <NeedLine
          icon={NotebookPen}
          kind={words.needs.skill}
          at={need.at}
          action={
            <>
              <Button variant="quiet" onClick={() => onArchive(need.key)}>
                {words.needs.putAside}
              </Button>
              <ButtonLink to={addressOf(need)}>{words.needs.review}</ButtonLink>
            </>
          }
        >
          <p className="font-medium">
            <Safe text={need.name} />
          </p>
          <p className="text-small text-ink-2">{words.needs.skillWaits}</p>
        </NeedLine>
      )
    case 'notice':
      return (
        <NeedLine
          icon={TriangleAlert}
          kind={words.needs.notice}
          at={need.at}
          action={
            <Button variant="quiet" onClick={() => onArchive(need.key)}>
              {words.needs.putAside}
            </Button>
          }
        >
          <p>
            <Safe text={need.text} />
          </p>
        </NeedLine>
      )
    case 'repair':
      return (
        <NeedLine
          icon={TriangleAlert}
          kind={words.needs.repair}
          at={null}
          action={
            <ButtonLink to={need.to}>
              {need.to === '/models' ? words.needs.openModels : words.needs.openHealth}
            </ButtonLink>
          }
        >
          <p className="font-medium">
            <Safe text={need.text} />
          </p>
        </NeedLine>
      )
  }
}

function ApprovalNeed({ approval }: { approval: ApprovalView }) {
  const now = useNow()
  const [open, setOpen] = useState(false)
  const { card, code, expiresAt, createdAt } = approval
  const from = card.chain
    .filter(({ kind }) => kind !== 'run' && kind !== 'tool')
    .map(chainWords)
    .join(' › ')
  return (
    <>
      <div className="min-w-[min(100%,16rem)] flex-1">
        <div className="flex flex-wrap items-center gap-x-2 text-small text-ink-3">
          <TierChip tier={card.tier} />
          <span>{code}</span>
        </div>
        <p className="mt-0.5 font-medium">
          <Safe text={card.headline} />
        </p>
        <p className="text-small text-ink-2">
          {from === '' ? null : (
            <>
              <Safe text={from} /> ·{' '}
            </>
          )}
          {words.needs.asked(<Time at={createdAt} />, leftWords(expiresAt, now))}
          {card.tier === 4 ? words.needs.needsPasskey : ''}
        </p>
      </div>
      <div className="flex shrink-0 gap-1">
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {words.needs.decide}
        </Button>
        <ButtonLink to={`/approvals/${code}`}>{words.needs.review}</ButtonLink>
      </div>
      {open ? (
        <div className="w-full">
          <InlineDecision approval={approval} />
        </div>
      ) : null}
    </>
  )
}

function PairingNeed({ request }: { request: PairingRequestView }) {
  return (
    <NeedLine
      icon={MonitorSmartphone}
      kind={words.needs.newDevice}
      at={request.createdAt}
      action={<ButtonLink to="/devices">{words.needs.compare}</ButtonLink>}
    >
      <p className="font-medium">{words.needs.wantsIn(<Safe text={request.name} />)}</p>
      <p className="text-small text-ink-2">
        <Safe text={request.platform === '' ? words.needs.noPlatform : request.platform} />
      </p>
    </NeedLine>
  )
}

function NeedLine({
  icon: Icon,
  kind,
  at,
  action,
  children,
}: {
  icon: LucideIcon
  kind: string
  at: string | null
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3 gap-y-2">
      <div className="min-w-[min(100%,16rem)] flex-1">
        <p className="mb-0.5 flex items-center gap-1.5 text-small text-ink-3">
          <Icon size={14} strokeWidth={1.75} aria-hidden />
          {kind}
          {at === null ? null : <Time at={at} />}
        </p>
        {children}
      </div>
      {action === undefined ? null : <div className="flex shrink-0 gap-1">{action}</div>}
    </div>
  )
}
