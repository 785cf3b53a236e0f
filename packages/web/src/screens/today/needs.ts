/** Owns what needs the operator, gathered from everywhere it can come from and in the order of urgency. Pure. */

import {
  type ApprovalView,
  type LiveState,
  type NoticeLive,
  openQuestions,
  type PairingRequestView,
  type ProposedSkill,
  pendingInOrder,
  type QuestionLive,
  type ScheduleView,
  type Status,
} from '@countersign/contract'
import { words } from '../../words/today.tsx'
import { noticeWords } from './notice-words.ts'

export type Need =
  | { readonly kind: 'approval'; readonly key: string; readonly approval: ApprovalView }
  | { readonly kind: 'question'; readonly key: string; readonly question: QuestionLive }
  | { readonly kind: 'pairing'; readonly key: string; readonly request: PairingRequestView }
  | AutomationNeed
  | NoticeNeed
  | SkillNeed
  | RepairNeed

/** The last time of an automation went wrong or did not happen. */
export interface AutomationNeed {
  readonly kind: 'automation'
  readonly key: string
  readonly id: string
  readonly name: string
  readonly state: 'failed' | 'missed'
  /** What was said about it, where anything was. */
  readonly text: string | null
  readonly at: string | null
}

export interface NoticeNeed {
  readonly kind: 'notice'
  readonly key: string
  readonly text: string
  readonly at: string
}

/** A skill waits that an agent wrote or a server served, and nobody reviewed it yet. */
export interface SkillNeed {
  readonly kind: 'skill'
  readonly key: string
  readonly name: string
  readonly at: string | null
}

/** Something of the gateway itself does not work. */
export interface RepairNeed {
  readonly kind: 'repair'
  readonly key: string
  readonly text: string
  /** Where it can be put right. */
  readonly to: '/models' | '/health'
}

export interface NeedSources {
  readonly state: LiveState
  /** Undefined while it is asked for: what is not known needs nobody yet. */
  readonly schedules: readonly ScheduleView[] | undefined
  readonly requests: readonly PairingRequestView[] | undefined
  readonly proposals?: readonly Pick<ProposedSkill, 'name' | 'tree' | 'writtenBy' | 'servedBy'>[] | undefined
  readonly status: Status | undefined
  /** What the operator put aside. Never anything that waits for a decision. */
  readonly archived: ReadonlySet<string>
}

/** What waits for a decision comes first, then what went wrong by itself, then what has to be mended. */
export function needsOf({
  state,
  schedules = [],
  requests = [],
  proposals = [],
  status,
  archived,
}: NeedSources): readonly Need[] {
  const failing = schedules.flatMap((schedule) => automationNeed(schedule, state.notices))
  const told = new Set(failing.map(({ id }) => id))
  const known = new Set(schedules.map(({ id }) => id))
  const notices = state.notices
    // The notice of an automation that went well since is no longer news.
    .filter(({ about }) => !told.has(about) && !known.has(about))
    .toReversed()
    .map(
      ({ seq, facts, at }): NoticeNeed => ({
        kind: 'notice',
        key: `notice:${seq}`,
        text: noticeWords(facts),
        at,
      }),
    )
  const written = proposals.map(
    ({ name, tree, writtenBy, servedBy }): SkillNeed => ({
      kind: 'skill',
      // Another text is another thing to look at.
      key: `skill:${name}:${tree}`,
      name,
      at: (writtenBy ?? servedBy)?.at ?? null,
    }),
  )
  return [
    ...pendingInOrder(state).map(
      (approval): Need => ({ kind: 'approval', key: `approval:${approval.id}`, approval }),
    ),
    ...openQuestions(state).map(
      (question): Need => ({ kind: 'question', key: `question:${question.id}`, question }),
    ),
    ...requests
      // The operator's own program lets these in by itself.
      .filter(({ proof }) => proof === null)
      .map((request): Need => ({ kind: 'pairing', key: `pairing:${request.id}`, request })),
    ...[...failing, ...written, ...notices].filter(({ key }) => !archived.has(key)),
    ...(status === undefined ? [] : repairsOf(status)),
  ]
}

/** Approvals beyond the first few have a screen of their own; everything else is shown whole. */
export function shortened(
  needs: readonly Need[],
  most: number,
): { readonly shown: readonly Need[]; readonly hidden: number } {
  const approvals = needs.filter(({ kind }) => kind === 'approval')
  const hidden = new Set(approvals.slice(most).map(({ key }) => key))
  return { shown: needs.filter(({ key }) => !hidden.has(key)), hidden: hidden.size }
}

export function repairsOf(status: Status): readonly RepairNeed[] {
  const found: readonly (readonly [isWell: boolean, name: string, text: string])[] = [
    [status.ledger.writable, 'ledger', words.repairs.ledger],
    [status.database.ok, 'database', words.repairs.database],
    [status.executor.ok, 'executor', words.repairs.executor],
    [
      status.model.ok,
      'model',
      status.model.state === 'none'
        ? words.repairs.noModel
        : words.repairs
            .model(`${status.model.provider}/${status.model.model}`, status.model.problem ?? '')
            .trim(),
    ],
  ]
  return found
    .filter(([isWell]) => !isWell)
    .map(([, name, text]) => ({
      kind: 'repair',
      key: `repair:${name}`,
      text,
      to: name === 'model' ? '/models' : '/health',
    }))
}

function automationNeed(
  { id, name, last, status }: ScheduleView,
  notices: readonly NoticeLive[],
): AutomationNeed[] {
  const state = last.at(-1)
  if (status !== 'active' || (state !== 'failed' && state !== 'missed')) return []
  const notice = notices.findLast(({ about }) => about === id)
  return [
    {
      kind: 'automation',
      // Another outcome after it is other news.
      key: `automation:${id}:${notice?.seq ?? last.join('')}`,
      id,
      name,
      state,
      text: notice === undefined ? null : noticeWords(notice.facts),
      at: notice?.at ?? null,
    },
  ]
}
