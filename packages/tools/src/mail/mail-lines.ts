/** Owns how e-mails are written down for a model: who, when, what, and the id by which to name one. */
import type { ListedMail } from '../capabilities.ts'
import { sizeOf } from '../result.ts'
import { emailId } from './email-id.ts'
import type { MailContent, MailPerson } from './mail-content.ts'
import { type SenderCheck, senderDoubts, senderText } from './sender-check.ts'

export function personText({ name, address }: MailPerson): string {
  if (address === '') return name === '' ? 'nobody' : name
  return name === '' ? address : `${name} <${address}>`
}

export function peopleText(people: readonly MailPerson[]): string {
  return people.map(personText).join(', ')
}

export function mailLines(account: string, mails: readonly ListedMail[]): string {
  return mails
    .map((mail) => {
      const marks = [mail.unread ? 'unread' : '', mail.answered ? 'answered' : ''].filter(
        (mark) => mark !== '',
      )
      return [
        `${mail.received.slice(0, 16).replace('T', ' ')}  ${peopleText(mail.from) || 'nobody'}`,
        `  ${mail.subject === '' ? '(no subject)' : mail.subject}`,
        ...senderLines(mail.from, mail.sender).map((line) => `  ${line}`),
        `  id ${emailId(account, mail.place)}, ${sizeOf(mail.size)}${marks.length > 0 ? `, ${marks.join(', ')}` : ''}`,
      ].join('\n')
    })
    .join('\n')
}

/** Of an e-mail that nobody has read there is no finding yet, only what can be seen. */
function senderLines(from: readonly MailPerson[], sender: SenderCheck | null): string[] {
  const doubts = senderDoubts(from)
  return [
    ...(sender ? [`Sender ${senderText(sender)}`] : []),
    ...(doubts.length > 0 ? [`Beware: ${doubts.join('; ')}`] : []),
  ]
}

export function contentText(id: string, mail: MailContent, sender: SenderCheck): string {
  const line = (name: string, value: string) => (value === '' ? [] : [`${name}: ${value}`])
  const files = mail.attachments.map(
    ({ number, name, type, size, inline }) =>
      `  ${number}. ${name === '' ? '(no name)' : name}, ${type}, ${sizeOf(size)}${inline ? ', shown in the text' : ''}`,
  )
  return [
    `Id: ${id}`,
    ...line('From', peopleText(mail.from)),
    ...senderLines(mail.from, sender),
    ...line('Reply to', peopleText(mail.replyTo)),
    ...line('To', peopleText(mail.to)),
    ...line('Cc', peopleText(mail.cc)),
    ...line('Date', mail.date ?? ''),
    ...line('Subject', mail.subject),
    ...(files.length > 0 ? ['Attachments:', ...files] : []),
    '',
    mail.text === '' ? '(no text)' : mail.text,
    ...(mail.truncated ? ['[cut]'] : []),
  ].join('\n')
}
