/** Owns the form in which an e-mail comes out of the program that parsed it. Every word of it is a stranger's. */
import { z } from 'zod'

/** In characters. */
export const mailLimits = {
  text: 100_000,
  line: 1_000,
  people: 100,
  references: 50,
  attachments: 100,
} as const

const text = (longest: number) => z.string().max(longest)

export const MailPerson = z.strictObject({ name: text(mailLimits.line), address: text(320) })
export type MailPerson = z.infer<typeof MailPerson>

const people = z.array(MailPerson).max(mailLimits.people)

export const MailHead = z.strictObject({
  from: people,
  to: people,
  subject: text(mailLimits.line),
  /** As it says itself; null where it says nothing that is a time. */
  date: text(40).nullable(),
  messageId: text(mailLimits.line).nullable(),
})
export type MailHead = z.infer<typeof MailHead>

export const MailHeads = z.strictObject({ heads: z.array(MailHead).max(200) })

export const MailContent = z.strictObject({
  ...MailHead.shape,
  cc: people,
  replyTo: people,
  inReplyTo: text(mailLimits.line).nullable(),
  references: z.array(text(mailLimits.line)).max(mailLimits.references),
  text: text(mailLimits.text),
  /** The text was made from HTML. */
  fromHtml: z.boolean(),
  truncated: z.boolean(),
  attachments: z
    .array(
      z.strictObject({
        number: z.int(),
        name: text(255),
        type: text(200),
        size: z.int(),
        inline: z.boolean(),
      }),
    )
    .max(mailLimits.attachments),
})
export type MailContent = z.infer<typeof MailContent>

export const MailAttachment = z.strictObject({ name: text(255), from: people })
