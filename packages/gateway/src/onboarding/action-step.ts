/**
 * Owns the first action: a real message in a new conversation, followed until the first call that the operator approved
 * has run. Refuses to count anything else as the end of it.
 */
import {
  type ActionChoice,
  type ActionProgress,
  type ApprovalView,
  type Autonomy,
  type CallView,
  FirstAction,
  type JsonObject,
  type OperatorId,
  RunId,
  type RunView,
  SessionId,
  type Tier,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { z } from 'zod'
import { sampleDownloads, sampleFiles, sampleKinds, sampleMessage } from './sample.ts'
import type { SetupStepHandler } from './setup-step.ts'
import type { StepRecord } from './step-records.ts'
import type { SetupWords } from './words/index.ts'

export interface ActionStepParts {
  readonly workspace: string
  readonly autonomy: () => Autonomy
  /** Sends the message as the operator, in a conversation of its own. */
  readonly send: (
    by: { readonly operator: OperatorId; readonly actor: Actor },
    text: string,
  ) => Promise<{ readonly session: SessionId; readonly run: RunId | null }>
  readonly runsOf: (operator: OperatorId, session: SessionId) => Promise<readonly RunView[]>
  readonly run: (
    operator: OperatorId,
    run: RunId,
  ) => Promise<{
    readonly run: RunView
    readonly calls: readonly CallView[]
    readonly approvals: readonly ApprovalView[]
  }>
  /** Makes a tool or a group usable, as the operator's own act. */
  readonly enable: (operator: OperatorId, name: 'webFetch' | 'draft_reply', actor: Actor) => Promise<void>
}

const usualPage = 'https://example.com/'

const StartedAction = z.object({ action: FirstAction, session: SessionId, run: RunId.nullable() })
type StartedAction = z.infer<typeof StartedAction>

export function actionStep(parts: ActionStepParts): SetupStepHandler<'action'> {
  async function progressOf(
    operator: OperatorId,
    begun: StartedAction,
    words: SetupWords,
  ): Promise<ActionProgress> {
    const { action, session } = begun
    const run = begun.run ?? (await parts.runsOf(operator, session))[0]?.id ?? null
    const waiting: ActionProgress = {
      action,
      session,
      run,
      state: 'working',
      approval: null,
      ran: null,
      problem: null,
    }
    if (run === null) return waiting
    const detail = await parts.run(operator, run)
    const isFree = asksOf(action, parts.autonomy()) === 0
    const ran = detail.calls.find(
      // Where everything asks, a look is approved as well; it is no action yet.
      ({ outcome, approval, tier }) => outcome === 'ok' && (tier ?? 0) > 0 && (approval !== null || isFree),
    )
    if (ran) {
      const { id, headline, summary, tier, undoable } = ran
      return { ...waiting, state: 'done', ran: { call: id, headline, summary, tier: tier ?? 0, undoable } }
    }
    const card = detail.approvals.find(({ state }) => state === 'pending')
    if (card) {
      const { id, code } = card
      const { headline, tier } = card.card
      return { ...waiting, state: 'waiting', approval: { id, code, headline, tier } }
    }
    return detail.run.state === 'stopped'
      ? { ...waiting, state: 'ended', problem: problemOf(detail.run, detail.calls, words) }
      : waiting
  }

  return {
    skippable: true,
    async look(operator, record, words) {
      const choices = FirstAction.options.map((action) => choiceOf(action, parts.autonomy(), words))
      const begun = startedActionIn(record)
      if (!begun) return { data: { choices, progress: null } }
      const progress = await progressOf(operator, begun, words)
      return { data: { choices, progress }, done: progress.state === 'done' }
    },
    async answer(by, { action, url }) {
      const text = await prepare(action, url ?? usualPage, by)
      const { session, run } = await parts.send(by, text)
      return { notes: { action, session, run } satisfies JsonObject }
    },
  }

  async function prepare(
    action: FirstAction,
    url: string,
    { operator, actor }: { readonly operator: OperatorId; readonly actor: Actor },
  ): Promise<string> {
    switch (action) {
      case 'tidy':
        return orders.tidy(sampleDownloads(parts.workspace))
      case 'page':
        await parts.enable(operator, 'webFetch', actor)
        return orders.page(url)
      case 'draft': {
        const file = sampleMessage(parts.workspace)
        await parts.enable(operator, 'draft_reply', actor)
        return orders.draft(file)
      }
    }
  }
}

/** Whether the tool for the draft is still needed by something that waits. */
export function isDrafting(record: StepRecord | undefined): boolean {
  return record?.state === 'todo' && startedActionIn(record)?.action === 'draft'
}

function startedActionIn({ notes }: StepRecord): StartedAction | undefined {
  return StartedAction.safeParse(notes).data
}

/** What the agent is told to do, as the operator's own message. */
const orders: Readonly<Record<FirstAction, (where: string) => string>> = {
  tidy: (folder) =>
    `Tidy the folder ${folder}: put pictures, documents and archives into folders of their own. Then offer to look after it every Friday at 17:00, as a scheduled task.`,
  page: (url) => `Summarise ${url} in three sentences.`,
  draft: (file) => `Draft a reply to ${file} with the tool draft_reply. Send nothing.`,
}

/** How many cards come at a level: none asks for looks too, low for changes, medium at boundaries. T3 asks at each. */
function asksOf(action: FirstAction, level: Autonomy): number {
  const steps: Readonly<Record<FirstAction, readonly number[]>> = {
    // A look, folders and moves, and a scheduled task at the end.
    tidy: [0, ...Array<number>(sampleKinds + sampleFiles).fill(1), 2],
    // A plain look at an address that was typed asks no more than an undoable change.
    page: [1],
    draft: [0, 3],
  }
  const free: Readonly<Record<Autonomy, number>> = { none: -1, low: 0, medium: 1, high: 2, full: 2 }
  return steps[action].filter((tier) => tier > free[level]).length
}

function choiceOf(action: FirstAction, level: Autonomy, words: SetupWords): ActionChoice {
  return {
    ...words.action.choices[action],
    action,
    tier: tierOf[action],
    needs: action === 'page' ? words.action.needsWeb : '',
    asks: asksOf(action, level),
    text: orders[action](action === 'page' ? usualPage : sampleAt[action]),
  }
}

const sampleAt = { tidy: 'Sample/Downloads', draft: 'Sample/Inbox/from-ana.txt' } as const

const tierOf: Readonly<Record<FirstAction, Tier>> = { tidy: 1, page: 2, draft: 3 }

function problemOf({ reason, message }: RunView, calls: readonly CallView[], { action }: SetupWords): string {
  const failed = calls.findLast(({ outcome }) => outcome !== null && outcome !== 'ok')
  const why = failed?.summary || message
  const reasons = why === '' ? '' : ` ${why.replace(/\.?$/, '.')}`
  return reason === 'completed' ? action.noApprovedCall(reasons) : action.notFinished(reasons)
}
