/**
 * Answers an e-mail. Looks up whom an answer goes to and what it answers, and then has send_email asked about exactly
 * that: nothing is sent that its card did not show.
 */
import { canonicalText, type JsonObject, MailAddress, mailSender } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { type AccountArgs, accountInput, noAccount, whose } from './account-argument.ts'
import { EmailId, requirePlace } from './email-id.ts'
import type { MailContent } from './mail-content.ts'
import { labelOfSenders, looksAt, mailEffects, mailLabel, mailTool } from './mail-effects.ts'
import { unique } from './recipients.ts'
import { senderText } from './sender-check.ts'

type ReplyArgs = AccountArgs & {
  readonly emailId: string
  readonly body: string
  readonly replyAll: boolean
  readonly draft: boolean
}

export const replyEmail = defineTool<ReplyArgs>({
  ...mailTool,
  runs: 'executor',
  name: 'reply_email',
  version: '2',
  description: 'Answer an e-mail in its thread. The answer is sent by send_email, which asks.',
  input: z.strictObject({
    ...accountInput,
    emailId: EmailId.describe('As list_emails gives it'),
    body: z.string().min(1).max(200_000),
    replyAll: z.boolean().default(false).describe('Also to the others who got it'),
    draft: z.boolean().default(false).describe('Keep it among the drafts instead of sending it'),
  }) as unknown as z.ZodType<ReplyArgs>,
  tags: ['mail', 'answer', 'respond', 'thread', 'write back', 'smtp'],
  effect: 'pure',
  floor: 0,
  output: mailLabel,
  sandbox: 'documents',
  describe: (args) => `Prepare an answer to an e-mail${whose(args)}${args.replyAll ? ', to all' : ''}`,
  preview: ({ emailId, body }) => ({ kind: 'text', title: 'The answer', text: `To ${emailId}\n\n${body}` }),
  effects: async ({ mailbox, emailId }, inspect) => {
    const { folder } = requirePlace(emailId)
    return mailEffects(mailbox, ['IMAP'], [looksAt(`an e-mail in ${folder} of ${mailbox?.address}`)], inspect)
  },
  async run({ mailbox, emailId, body, replyAll, draft }, { mail }, signal) {
    if (!mailbox) return failed(noAccount)
    const outcome = await mail.read(mailbox, requirePlace(emailId), signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const answer = answerTo(outcome.mail, mailbox.address, replyAll)
    if (typeof answer === 'string') return failed(answer)
    const told = `The answer goes to ${answer.to.join(', ')}. Sender ${senderText(outcome.sender)}`
    const args: JsonObject = { account: mailbox.name, mailbox, ...answer, body, draft }
    return {
      ...succeeded(told, 'Answered an e-mail'),
      ...labelOfSenders([outcome.sender]),
      next: { tool: mailSender, args: canonicalText(args) },
    }
  },
})

interface Answer extends Record<string, string | string[]> {
  readonly to: string[]
  readonly cc: string[]
  readonly subject: string
  readonly references: string[]
}

/** A sentence where it cannot be answered. */
export function answerTo(mail: MailContent, own: string, replyAll: boolean): Answer | string {
  const isOwn = (address: string) => address.toLowerCase() === own.toLowerCase()
  const plain = (people: MailContent['to']) =>
    unique(people.map(({ address }) => address).filter((address) => MailAddress.safeParse(address).success))
  const wanted = mail.replyTo.length > 0 ? mail.replyTo : mail.from
  // To an e-mail of one's own goes what one has to add for those who got it.
  const isMine = mail.from.length > 0 && mail.from.every(({ address }) => isOwn(address))
  const to = isMine ? plain(mail.to) : plain(wanted)
  if (to.length === 0) return 'It does not say an address to which an answer could go.'
  if (to.length > mostAnswered)
    return `An answer would go to ${to.length} addresses. Use send_email and name them.`
  const others = replyAll ? plain([...(isMine ? [] : mail.to), ...mail.cc]) : []
  const cc = others.filter(
    (address) => !isOwn(address) && !to.some((each) => each.toLowerCase() === address.toLowerCase()),
  )
  const id = mail.messageId !== null && knownId.test(mail.messageId) ? mail.messageId : null
  const earlier =
    mail.references.length > 0 ? mail.references : mail.inReplyTo === null ? [] : [mail.inReplyTo]
  const chain = unique([...earlier.filter((each) => knownId.test(each)), ...(id === null ? [] : [id])])
  // The first of a thread and the latest, where there are too many.
  const references = chain.length > 50 ? [...chain.slice(0, 1), ...chain.slice(-49)] : chain
  return {
    to,
    cc: cc.slice(0, 50),
    subject: answerSubject(mail.subject),
    references,
    ...(id === null ? {} : { inReplyTo: id }),
  }
}

const mostAnswered = 50
const knownId = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>$/

function answerSubject(subject: string): string {
  const plain = subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return (/^(?:re|aw|sv|antw)\s*(?:\[\d+\])?:/i.test(plain) ? plain : `Re: ${plain}`)
    .slice(0, 400)
    .toWellFormed()
}
