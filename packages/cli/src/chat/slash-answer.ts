/** Owns the commands of a conversation that change a thing or tell one, and are answered with words. */
import {
  type ApprovalView,
  type SlashCommand,
  slashCommands,
  slashUsage,
  type Why,
} from '@countersign/contract'
import type { CardStyle } from '../card.ts'
import { approvalRow } from '../commands/approval.ts'
import { statusText } from '../commands/status.ts'
import { whyText } from '../commands/why.ts'
import type { Gateway } from '../connection.ts'
import { columns, indent } from '../output/columns.ts'
import { money } from '../output/money.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { shortId } from '../short-id.ts'
import type { Conversation } from './conversation.ts'
import { modelText } from './model.ts'
import { activeRun, type ChatState } from './state.ts'

export type AnsweredSlash = Exclude<SlashCommand, { kind: 'exit' | 'new' | 'queue' | 'approve' | 'deny' }>

export interface SlashParts {
  readonly gateway: Gateway
  readonly conversation: Conversation
  readonly style: () => CardStyle
  /** Also by a short id, as lists and `/show` have it. */
  readonly why: (ref: string) => Promise<Why>
}

export async function slashAnswer(slash: AnsweredSlash, parts: SlashParts): Promise<string> {
  const { gateway, conversation, style } = parts
  const { client } = gateway
  const state = conversation.state()
  const moment = () => style().moment
  switch (slash.kind) {
    case 'help':
      return columns(slashCommands.map((row) => [slashUsage(row), row.about]))
    case 'unknown':
    case 'incomplete':
      return slashText(slash)
    case 'cost':
      return costText(gateway, state)
    case 'why':
      return whyText(await parts.why(slash.ref), { moment })
    case 'status':
      return statusText(await client.status(), { paint: style().paint, moment })
    case 'pending':
      return pendingText(await client.approvals({ state: 'pending' }), style())
    case 'pause':
      return `Paused.${ledgerMark((await client.pause()).ledger)}`
    case 'resume':
      return `Resumed.${ledgerMark((await client.resume()).ledger)}`
    case 'stop':
      return stopText(gateway, activeRun(state))
    case 'model':
      return modelText(gateway, conversation, slash.model)
    case 'show':
      return callText(gateway, state, slash.back)
    case 'undo':
      return undoText(gateway, state.lastRun)
  }
}

/** What waits longest stands first, as in the inbox of the web app. */
function pendingText(approvals: readonly ApprovalView[], { paint, moment }: CardStyle): string {
  if (approvals.length === 0) return 'Nothing needs you.'
  return columns(
    approvals.toReversed().map((approval) => approvalRow(approval, { paint, moment: () => moment })),
  )
}

function slashText(slash: Extract<SlashCommand, { kind: 'unknown' | 'incomplete' }>): string {
  if (slash.kind === 'unknown') return `There is no /${line(slash.name)}. /help lists the commands.`
  const row = slashCommands.find(({ name }) => name === slash.name)
  return `Write it as ${row === undefined ? '/help' : slashUsage(row)}.`
}

async function costText({ client }: Gateway, { session }: ChatState): Promise<string> {
  if (session === null) return 'Nothing was said here yet.'
  const { runs } = await client.session(session)
  const usd = runs.reduce((sum, run) => sum + run.costUsd, 0)
  return `This conversation cost ${money(usd)} so far. \`countersign cost\` shows everything.`
}

async function stopText({ client }: Gateway, run: ChatState['lastRun']): Promise<string> {
  if (run === null) return 'Nothing is running here.'
  return `Stopping.${ledgerMark((await client.stopRun(run)).ledger)}`
}

/** A call takes one line while it goes on; this unfolds what it was given and what came of it. */
async function callText({ client }: Gateway, { lastRun }: ChatState, back: number): Promise<string> {
  const calls = lastRun === null ? [] : (await client.run(lastRun)).calls
  const call = calls.at(-back)
  if (call === undefined)
    return calls.length === 0
      ? 'The last run made no call.'
      : `The last run made ${calls.length === 1 ? 'one call' : `${calls.length} calls`}.`
  const result = lines(call.result).trimEnd()
  return [
    `${line(call.headline === '' ? call.tool : call.headline)}  ${line(shortId(call.id))}`,
    indent(result === '' ? line(call.summary || 'Nothing came back.') : result, '  │ '),
  ].join('\n')
}

async function undoText({ client }: Gateway, run: ChatState['lastRun']): Promise<string> {
  if (run === null) return 'There is nothing to undo here.'
  const { calls, ledger } = await client.undoRun(run)
  return `Undoing ${calls} ${calls === 1 ? 'call' : 'calls'}.${ledgerMark(ledger)}`
}
