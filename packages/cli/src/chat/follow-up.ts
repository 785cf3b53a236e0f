/** Owns what a letter at a card asks for next: a rule, other arguments, a question. Enter alone always goes back. */
import type { ApprovalView, GrantRequest } from '@countersign/contract'
import { changesText, withSettings } from '../commands/approval-arguments.ts'
import { usualDays, usualUses } from '../commands/approval-grant.ts'
import type { Gateway } from '../connection.ts'
import type { Paint } from '../output/colour.ts'
import { indent } from '../output/columns.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'

/** The line that is typed next belongs to it. */
export interface FollowUp {
  /** What stands before the cursor meanwhile. */
  readonly label: string
  /** It is for somebody else's eyes, so no file keeps it and no arrow brings it back. */
  readonly isUnkept?: true
  /** Gives what is asked for after it; at once where nobody has to be waited for, so that the line after it is taken there. */
  take(typed: string): FollowUp | undefined | Promise<FollowUp | void>
}

export interface FollowUpParts {
  readonly gateway: Gateway
  readonly print: (text: string) => void
  readonly paint: () => Paint
}

/** A message takes the place of a decision, which nobody should learn afterwards. */
export function messageFollowUp(
  { print }: FollowUpParts,
  { code }: ApprovalView,
  send: () => Promise<void>,
): FollowUp {
  print(
    `That is a message. Sending it withdraws ${line(code)}: the assistant reads the message instead of a decision.\nType y to send it; Enter alone goes back to the card.`,
  )
  return {
    label: 'send? > ',
    async take(typed) {
      if (/^y(?:es)?$/i.test(typed)) await send()
      else print(`Not sent. ${line(code)} still waits.`)
    },
  }
}

export function denyFollowUp(
  { print }: FollowUpParts,
  { code }: ApprovalView,
  deny: (reason: string) => Promise<void>,
): FollowUp {
  print(`Reason for the agent? Enter alone denies ${line(code)} without a reason.`)
  return { label: `deny ${line(code)} > `, take: deny }
}

/** Null where no rule can be made of this call. */
export async function ruleFollowUp(
  { gateway, print }: FollowUpParts,
  { id, code }: ApprovalView,
  approve: (rule: GrantRequest) => Promise<void>,
): Promise<FollowUp | null> {
  const { of, stops } = await gateway.client.coverage({ approval: id, where: 'agent' })
  const usable = stops.filter(({ broad }) => !broad)
  if (usable.length === 0) {
    print('No rule can be made of this call. Approve it once, or make the rule in the web app.')
    return null
  }
  const rows = usable.map(
    ({ sentence, covered, asked }, at) =>
      `  ${at + 1}  ${line(sentence)}\n     covers ${covered} of your last ${of} calls, of which ${asked} asked you`,
  )
  print(
    `Approve ${line(code)} and allow the same in future, for ${usualDays} days:\n${rows.join('\n')}\nWhich? Type its number; Enter alone goes back.`,
  )
  return {
    label: 'rule > ',
    async take(typed) {
      const chosen = /^\d+$/.test(typed) ? usable[Number(typed) - 1] : undefined
      if (chosen === undefined) return print(`No rule was made. ${line(code)} still waits.`)
      await approve({
        scope: 'rule',
        stop: chosen.stop,
        where: 'agent',
        days: usualDays,
        maxUses: usualUses,
        ...(chosen.untrusted ? { untrusted: true } : {}),
      })
    },
  }
}

export async function editFollowUp(parts: FollowUpParts, approval: ApprovalView): Promise<FollowUp> {
  const { gateway, print, paint } = parts
  const detail = await gateway.client.approval(approval.id)
  print('What should it say instead? Type name=value, such as path=notes.md; Enter alone goes back.')
  return {
    label: `edit ${line(approval.code)} > `,
    async take(typed) {
      if (typed === '') return print(`Nothing was changed. ${line(approval.code)} still waits.`)
      const made = withSettings(detail, [typed])
      if (made.kind === 'problem') return print(made.problem)
      const changes = changesText(made.before, made.after, paint())
      if (changes === '') return print('That changes nothing.')
      const { ledger } = await gateway.client.editApproval(approval.id, JSON.stringify(made.after))
      print(
        `${changes}\nYour arguments replaced the agent's. The call is checked again.${ledgerMark(ledger)}`,
      )
    },
  }
}

export function askFollowUp(parts: FollowUpParts, approval: ApprovalView): FollowUp {
  parts.print('What do you want to know? The request stays pending; Enter alone goes back.')
  return {
    label: `ask about ${line(approval.code)} > `,
    take: async (typed) => (typed === '' ? undefined : askAbout(parts, approval, typed)),
  }
}

export async function askAbout(
  { gateway, print }: FollowUpParts,
  { id, code }: ApprovalView,
  question: string,
): Promise<void> {
  const { approval, ledger } = await gateway.client.askAboutApproval(id, question)
  const answer = approval.asked.at(-1)?.answer ?? ''
  print(
    `Agent says (unverified)\n${indent(lines(answer), '│ ')}\n${line(code)} is still pending.${ledgerMark(ledger)}`,
  )
}
