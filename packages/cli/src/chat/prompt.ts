/**
 * Acts on the lines that an operator types: decisions about the card that is shown, answers, commands, messages.
 * Enter alone never decides anything, and a letter decides only the card that has been on the screen for a moment.
 */
import {
  type ApprovalView,
  CountersignError,
  canonicalText,
  type GrantRequest,
  type SlashCommand,
} from '@countersign/contract'
import { type CardStyle, cardKeys, fullCard, mustBeRead, shortCard } from '../card.ts'
import { approveNow, decidedText } from '../commands/approval.ts'
import { whyText } from '../commands/why.ts'
import type { Gateway } from '../connection.ts'
import { failureOf } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { inspectApproval } from '../seal-approval.ts'
import { serverQuestionText } from '../server-question.ts'
import type { Conversation } from './conversation.ts'
import {
  askAbout,
  askFollowUp,
  denyFollowUp,
  editFollowUp,
  type FollowUp,
  type FollowUpParts,
  messageFollowUp,
  ruleFollowUp,
} from './follow-up.ts'
import { replyToServer } from './server-follow-up.ts'
import { type SlashParts, slashAnswer } from './slash-answer.ts'
import { type ChatState, type PendingItem } from './state.ts'
import { readTypedLine } from './typed-line.ts'

export interface PromptOptions {
  readonly conversation: () => Conversation
  readonly gateway: Gateway
  readonly print: (text: string) => void
  readonly style: () => CardStyle
  readonly why: SlashParts['why']
  readonly clock: () => Date
  /** Whether single letters decide: only where a person types. */
  readonly letters: boolean
}

/** `new`: the operator wants to begin another conversation. */
export type NextStep = 'stay' | 'leave' | 'new'

export interface Prompt {
  /** Shows the card or question that is next, when it is another than before. */
  present(state: ChatState): void
  /** What stands before the cursor; `idle` where nothing waits. */
  label(idle?: string): string
  /** False while what is typed is for a server. */
  isKept(): boolean
  /** True when a verdict was given here, and so has been told already. */
  isOwnVerdict(approval: string): boolean
  take(text: string): Promise<NextStep>
}

export const armingMs = 600

export function createPrompt(options: PromptOptions): Prompt {
  const { gateway, print } = options
  const decidedHere = new Set<string>()
  const viewed = new Set<string>()
  let shown: { readonly id: string; readonly at: number } | null = null
  let followUp: FollowUp | null = null
  const parts = { gateway, print, paint: () => options.style().paint }

  function present(state: ChatState): void {
    const [next] = state.waiting
    if (next === undefined) {
      shown = null
      return
    }
    if (shown?.id === idOf(next)) return
    shown = { id: idOf(next), at: options.clock().getTime() }
    if (followUp !== null) followUp = lapsed(parts, followUp, labelOf(next))
    print(next.kind === 'approval' ? approvalText(next.approval, options) : questionText(next))
  }

  function current(): PendingItem | undefined {
    return options.conversation().state().waiting[0]
  }

  async function take(text: string): Promise<NextStep> {
    try {
      return await act(text)
    } catch (error) {
      const { message, next } = await failureOf(error)
      print(`${message}\n${next}`)
      return 'stay'
    }
  }

  async function act(text: string): Promise<NextStep> {
    if (followUp !== null) {
      const { take: finish } = followUp
      followUp = null
      await goOn(finish(text.trim()))
      return 'stay'
    }
    const waits = current()
    const typed = readTypedLine(text, waits, options.letters)
    switch (typed.kind) {
      case 'nothing':
        return 'stay'
      case 'slash':
        return command(typed.command)
      case 'hint':
        print(typed.text)
        return 'stay'
      case 'letter':
        if (waits?.kind === 'approval') await decideByLetter(typed.letter, typed.rest, waits.approval)
        return 'stay'
      case 'instead':
        if (waits?.kind === 'approval')
          followUp = messageFollowUp(parts, waits.approval, () =>
            options.conversation().send(typed.text, 'auto'),
          )
        return 'stay'
      case 'answer':
        if (waits?.kind === 'question') await answer(parts, waits, typed.text)
        return 'stay'
      case 'reply':
        if (waits?.kind === 'question')
          await goOn(replyToServer(parts, waits, typed.action, isRead(waits.id)))
        return 'stay'
      case 'message':
        await options.conversation().send(typed.text, 'auto')
        return 'stay'
    }
  }

  async function goOn(next: Awaitable<FollowUp | null | void>): Promise<void> {
    followUp = (next instanceof Promise ? await next : next) ?? null
  }

  /** It has been on the screen for a moment. */
  function isRead(id: string): boolean {
    return shown !== null && shown.id === id && options.clock().getTime() - shown.at >= armingMs
  }

  async function decideByLetter(letter: string, rest: string, approval: ApprovalView): Promise<void> {
    if (!isRead(approval.id)) {
      print(`${line(approval.code)} appeared just now. Read it, then type the letter again.`)
      return
    }
    switch (letter) {
      case 'a':
        return approve(approval)
      case 'r':
        return approve(approval, { scope: 'run' })
      case 's':
        return approve(approval, { scope: 'session' })
      case 'v':
        return view(approval)
      case 'w':
        print(whyText(await gateway.client.why(approval.id), { moment: () => options.style().moment }))
        return
      case 'p':
        followUp = await ruleFollowUp(parts, approval, (rule) => approve(approval, rule))
        return
      case 'e':
        followUp = await editFollowUp(parts, approval)
        return
      case 'q':
        if (rest !== '') return askAbout(parts, approval, rest)
        followUp = askFollowUp(parts, approval)
        return
      default:
        if (rest !== '') return deny(approval.id, rest)
        followUp = denyFollowUp(parts, approval, (reason) => deny(approval.id, reason))
    }
  }

  async function approve(approval: ApprovalView, grant?: GrantRequest): Promise<void> {
    if (mustBeRead(approval.card) && !viewed.has(approval.id)) {
      print('The card is longer than what is shown. Read all of it first: v')
      return
    }
    const detail = await gateway.client.approval(approval.id)
    if (
      detail.approval.digest !== approval.digest ||
      canonicalText(detail.approval.card) !== canonicalText(approval.card)
    ) {
      throw new CountersignError('conflict', `${approval.code} differs from what was shown here.`, {
        details: { code: approval.code },
      })
    }
    await verdict(approval.id, () => approveNow(gateway, detail, options.clock(), grant))
  }

  async function deny(id: string, reason: string): Promise<void> {
    await verdict(id, () => gateway.client.decide(id, { verdict: 'deny', reason, stop: false }))
  }

  async function verdict(id: string, give: () => ReturnType<typeof approveNow>): Promise<void> {
    decidedHere.add(id)
    try {
      print(decidedText(await give()))
      await options.conversation().until((state) => !state.waiting.some((each) => idOf(each) === id))
    } catch (error) {
      decidedHere.delete(id)
      throw error
    }
  }

  async function view(approval: ApprovalView): Promise<void> {
    const detail = await gateway.client.approval(approval.id)
    const inspection = inspectApproval(detail, gateway.identity)
    if (inspection.kind === 'sound') {
      viewed.add(approval.id)
      print(`${fullCard(detail.approval, options.style(), inspection.subject)}\n\n  ${cardKeys(approval)}`)
    } else print(`${fullCard(detail.approval, options.style())}\n\nDo not approve it: ${inspection.problem}.`)
  }

  async function command(slash: SlashCommand): Promise<NextStep> {
    switch (slash.kind) {
      case 'exit':
        return 'leave'
      case 'new':
        return 'new'
      case 'queue':
        await options.conversation().send(slash.text, 'queue')
        break
      case 'approve':
        await approveByCode(slash.code)
        break
      case 'deny': {
        const { approval } = await gateway.client.approval(slash.code)
        await deny(approval.id, slash.reason)
        break
      }
      default:
        print(await slashAnswer(slash, { ...options, conversation: options.conversation() }))
    }
    return 'stay'
  }

  /** A code that is typed in full is as good as a letter, once its card has been shown. */
  async function approveByCode(code: string): Promise<void> {
    const { approval } = await gateway.client.approval(code)
    const first = current()
    if (first?.kind === 'approval' && first.approval.id === approval.id) return approve(first.approval)
    if (viewed.has(approval.id)) return approve(approval)
    await view(approval)
    print(`Type /approve ${line(approval.code)} again to approve it.`)
  }

  return {
    present,
    label(idle = '> ') {
      const waits = current()
      if (followUp !== null) return followUp.label
      return waits === undefined ? idle : labelOf(waits)
    },
    isKept: () => followUp?.isUnkept !== true,
    isOwnVerdict: (approval) => decidedHere.has(approval),
    take,
  }
}

function approvalText(approval: ApprovalView, { style, letters }: PromptOptions): string {
  const code = line(approval.code)
  return `${shortCard(approval, style())}\n${letters ? `  ${cardKeys(approval)}` : `  /approve ${code}  /deny ${code} REASON`}`
}

async function answer(
  { gateway, print }: FollowUpParts,
  question: Extract<PendingItem, { kind: 'question' }>,
  text: string,
): Promise<void> {
  const chosen = /^\d+$/.test(text) ? question.choices[Number(text) - 1] : undefined
  const { ledger } = await gateway.client.answer(question.id, { answer: chosen ?? text })
  print(`Answered.${ledgerMark(ledger)}`)
}

type Awaitable<T> = T | Promise<T>

/** What is being typed was meant for what is over: for a server perhaps, and then for nobody else. */
function lapsed({ print }: Pick<FollowUpParts, 'print'>, { isUnkept }: FollowUp, label: string): FollowUp {
  return {
    label,
    ...(isUnkept ? { isUnkept } : {}),
    take: async (typed) => {
      if (typed !== '')
        print('What you typed was for what is over now, so it was not taken. Type it again if you mean this.')
    },
  }
}

/** What stands before the cursor while it waits. */
function labelOf(waits: PendingItem): string {
  if (waits.kind === 'approval') return `${line(waits.approval.code)} > `
  return waits.server ? 'a, d, x, or a message > ' : 'answer > '
}

function questionText(question: Extract<PendingItem, { kind: 'question' }>): string {
  if (question.server)
    return `${serverQuestionText(question.server)}\n  a answer   d decline   x dismiss   anything longer is a message to the agent`
  const choices = question.choices.map((choice, at) => `    ${at + 1}  ${line(choice)}`)
  return [`? The agent asks`, `  ${lines(question.text).replaceAll('\n', '\n  ')}`, ...choices].join('\n')
}

function idOf(waits: PendingItem): string {
  return waits.kind === 'approval' ? waits.approval.id : waits.id
}
