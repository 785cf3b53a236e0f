/** `countersign approval edit`: your arguments in place of the agent's. It decides nothing: the call is judged anew. */
import { readFile } from 'node:fs/promises'
import {
  type ApprovalView,
  CountersignError,
  type Decision,
  type GatewayEvent,
  type ServerFrame,
} from '@countersign/contract'
import type { Gateway } from '../connection.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { follow } from '../follow.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'
import { type ArgumentsResult, changesText, withArguments, withSettings } from './approval-arguments.ts'

const patienceMs = 30_000

export const edit: Handler = async (context, [ref = ''], options) => {
  const given = await newArgumentsIn(options)
  if (given === undefined)
    return usage(
      'Say what to change: --set name=value(repeatable), or --args with all arguments.',
      'approval edit',
    )
  const gateway = await context.gateway()
  const detail = await gateway.client.approval(ref)
  const { approval } = detail
  if (approval.state !== 'pending')
    throw new CountersignError('conflict', `${line(approval.code)} is already ${approval.state}.`, {
      details: { code: approval.code },
    })
  const made: ArgumentsResult =
    given.kind === 'all' ? withArguments(detail, given.text) : withSettings(detail, given.settings)
  if (made.kind === 'problem') return usage(made.problem, 'approval edit')
  const changes = changesText(made.before, made.after, context.paint)
  if (changes === '') return usage('That changes nothing.', 'approval edit')
  const { ledger, next } = await editAndAwaitOutcome(context, gateway, approval, JSON.stringify(made.after))
  return answerFor(context, { approval, changes, ledger, next, args: made.after })
}

/** What became of the call after its arguments were changed. */
export type EditOutcome =
  | { readonly kind: 'waits'; readonly approval: ApprovalView }
  | { readonly kind: 'runs' | 'refused'; readonly decision: Decision }
  | { readonly kind: 'over'; readonly words: string }

/** Undefined while this event says nothing about it. */
function editOutcomeFrom({ body }: GatewayEvent, { id, call, run }: ApprovalView): EditOutcome | undefined {
  switch (body.type) {
    case 'approval.requested':
      return body.approval.call === call && body.approval.id !== id
        ? { kind: 'waits', approval: body.approval }
        : undefined
    case 'call.decided':
      if (body.call !== call || body.decision.kind === 'ask') return undefined
      return { kind: body.decision.kind === 'allow' ? 'runs' : 'refused', decision: body.decision }
    case 'call.ended':
      return body.call === call ? { kind: 'over', words: body.summary } : undefined
    case 'run.ended':
      return body.run === run ? { kind: 'over', words: body.message } : undefined
    default:
      return undefined
  }
}

/** It listens before it edits, so that nothing that follows is missed. */
async function editAndAwaitOutcome(
  context: Context,
  gateway: Gateway,
  approval: ApprovalView,
  args: string,
): Promise<{ ledger: number; next: EditOutcome | undefined }> {
  const over = new AbortController()
  let tell: (judged: EditOutcome | undefined) => void = () => undefined
  const judged = new Promise<EditOutcome | undefined>((resolve) => {
    tell = resolve
  })
  const look = async () => {
    const waiting = await gateway.client.approvals({ state: 'pending', run: approval.run })
    const found = waiting.find(({ replaces }) => replaces === approval.id)
    if (found) tell({ kind: 'waits', approval: found })
  }
  const feed = await follow({
    connect: gateway.connect,
    since: null,
    onFrame: (frame: ServerFrame) => {
      const next = frame.type === 'event' ? editOutcomeFrom(frame.event, approval) : undefined
      if (next) tell(next)
      // What was skipped may have told of it.
      if (frame.type === 'gap') look().catch(() => undefined)
    },
    onLost: () => undefined,
    onBack: () => undefined,
    wait: context.host.wait,
    signal: over.signal,
  })
  try {
    const { ledger } = await gateway.client.editApproval(approval.id, args)
    const late = context.host.wait(context.flags.waitMs ?? patienceMs, over.signal).then(() => undefined)
    return { ledger, next: await Promise.race([judged, late, feed.ended.then(() => undefined)]) }
  } finally {
    over.abort()
  }
}

function answerFor(
  context: Context,
  edited: {
    approval: ApprovalView
    changes: string
    ledger: number
    next: EditOutcome | undefined
    args: unknown
  },
): CommandAnswer {
  const { approval, changes, ledger, next, args } = edited
  const data = { replaced: approval.id, call: approval.call, args, ledger }
  const head = `${changes}\n\nYour arguments replaced the agent's.${ledgerMark(ledger)}`
  switch (next?.kind) {
    case 'waits': {
      const { code, card } = next.approval
      const tier = tierLabel(card.tier, context.paint)
      const raised = card.tier > approval.card.tier ? ' That is higher than before.' : ''
      return done(
        { ...data, judged: 'waits', code, approval: next.approval },
        `${head}\n${context.paint('strong', line(code))} is pending, ${tier}: ${line(card.headline)}.${raised}\nDecide it with \`countersign approval approve ${line(code)}\`.`,
      )
    }
    case 'runs':
    case 'refused': {
      const words = next.kind === 'runs' ? 'It runs without asking' : 'Policy refuses it'
      return done(
        { ...data, judged: next.kind, decision: next.decision },
        `${head}\n${words}: ${line(next.decision.reason)}`,
      )
    }
    case 'over':
      return done({ ...data, judged: 'over' }, `${head}\nThe run continued. ${line(next.words)}`.trimEnd())
    case undefined:
      throw new CountersignError(
        'timeout',
        `The call was changed. Its evaluation is not finished yet.${ledgerMark(ledger)}`,
        { details: data, next: 'List pending approvals with `countersign approval list`.' },
      )
  }
}

type NewArguments =
  | { readonly kind: 'all'; readonly text: string }
  | { readonly kind: 'some'; readonly settings: readonly string[] }

async function newArgumentsIn({ set, args }: OptionValues): Promise<NewArguments | undefined> {
  if (typeof args === 'string' && set === undefined) return { kind: 'all', text: await textOf(args) }
  // A word of a command line cannot hold a NUL, which is what stands between those of an option that repeats.
  if (typeof set === 'string' && args === undefined) return { kind: 'some', settings: set.split('\0') }
  return undefined
}

/** JSON itself, or the file that it is in. */
async function textOf(given: string): Promise<string> {
  if (!given.startsWith('@')) return given
  const path = given.slice(1)
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new CountersignError('usage', `${line(path)} cannot be read.`, { cause })
  }
}
