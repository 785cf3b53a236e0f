/** Owns how a question of a server is answered in a conversation: field by field, and sent after a yes only. */
import type { QuestionId, ServerAnswers, ServerQuestion } from '@countersign/contract'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { answersText, barred, fieldText, nameOf, presetText, readAnswer } from '../server-question.ts'
import type { FollowUp, FollowUpParts } from './follow-up.ts'

export interface OpenServerQuestion {
  readonly id: QuestionId
  readonly server: ServerQuestion
}

export function serverFollowUp(
  parts: FollowUpParts,
  question: OpenServerQuestion,
  at = 0,
  values: ServerAnswers = {},
): FollowUp {
  const { print, gateway } = parts
  const { id, server } = question
  const { fields } = server.form
  const field = fields[at]
  if (field) {
    const preset = presetText(field)
    print(barred(fieldText(field)))
    return {
      label: `│ ${nameOf(field)}${preset === undefined ? '' : ` [${preset}]`} > `,
      isUnkept: true,
      take(typed) {
        const read = readAnswer(field, typed)
        if (read.kind === 'problem') {
          print(barred(read.problem))
          return serverFollowUp(parts, question, at, values)
        }
        const { value } = read
        const next = value === undefined ? values : { ...values, [field.name]: value }
        return serverFollowUp(parts, question, at + 1, next)
      },
    }
  }
  print(
    [
      answersText(fields, values),
      `Type y to send this to the server ${line(server.server)}; Enter alone goes back.`,
    ]
      .filter((text) => text !== '')
      .join('\n'),
  )
  return {
    label: 'send? > ',
    async take(typed) {
      if (!/^y(?:es)?$/i.test(typed)) return print('Not sent. The question still waits.')
      const { ledger } = await gateway.client.reply(id, { action: 'accept', values })
      print(`Sent to the server ${line(server.server)}.${ledgerMark(ledger)}`)
    },
  }
}

/** What a letter says to the question that is shown; an answer is asked for field by field. */
export function replyToServer(
  parts: FollowUpParts,
  { id, server }: { readonly id: QuestionId; readonly server?: ServerQuestion },
  action: 'accept' | 'decline' | 'cancel',
  isRead: boolean,
): FollowUp | null | Promise<null> {
  if (!isRead) {
    const { print } = parts
    print('The question appeared just now. Read it, then type the letter again.')
    return null
  }
  if (action === 'accept') return server ? serverFollowUp(parts, { id, server }) : null
  return refuse(parts, id, action)
}

async function refuse(
  { gateway, print }: FollowUpParts,
  id: QuestionId,
  action: 'decline' | 'cancel',
): Promise<null> {
  const { ledger } = await gateway.client.reply(id, { action })
  print(`${action === 'decline' ? 'Declined.' : 'Dismissed.'}${ledgerMark(ledger)}`)
  return null
}
