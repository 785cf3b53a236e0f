/** Reads one e-mail: who wrote it, what it says, and what came with it. A file of it is kept where a path is named. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { keepFile, planFile } from '../documents/made-file.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { type AccountArgs, accountInput, noAccount, whose } from './account-argument.ts'
import { EmailId, requirePlace } from './email-id.ts'
import { labelOfSenders, looksAt, mailEffects, mailLabel, mailTool } from './mail-effects.ts'
import { contentText, peopleText } from './mail-lines.ts'

type ReadArgs = AccountArgs & {
  readonly emailId: string
  readonly attachment?: number
  readonly path?: string
}

export const readEmail = defineTool<ReadArgs>({
  ...mailTool,
  runs: 'executor',
  name: 'read_email',
  version: '3',
  description:
    'Read an e-mail. With attachment and path, that attachment is saved to a new file of the workspace instead.',
  input: z
    .strictObject({
      ...accountInput,
      emailId: EmailId.describe('As list_emails gives it'),
      attachment: z.int().min(1).max(100).exactOptional().describe('Number of the attachment to save'),
      path: pathText.exactOptional().describe('Where to save it'),
    })
    .refine(({ attachment, path }) => (attachment === undefined) === (path === undefined), {
      path: ['path'],
      message: 'attachment and path go together',
    }) as unknown as z.ZodType<ReadArgs>,
  tags: ['mail', 'open', 'message', 'show', 'attachment', 'imap'],
  effect: 'idempotent',
  floor: 0,
  output: mailLabel,
  undo: 'restore_file',
  sandbox: 'documents',
  describe: (args) =>
    args.attachment === undefined
      ? `Read an e-mail${whose(args)}`
      : `Save attachment ${args.attachment} of an e-mail${whose(args)} to ${args.path}`,
  preview: ({ emailId, path }) => ({
    kind: 'text',
    title: 'Which e-mail',
    text: path === undefined ? emailId : `${emailId}\nto ${path}`,
  }),
  async effects({ mailbox, emailId, path }, inspect) {
    const { folder } = requirePlace(emailId)
    const looks = mailEffects(
      mailbox,
      ['IMAP'],
      [looksAt(`an e-mail in ${folder} of ${mailbox?.address}`)],
      inspect,
    )
    if (path === undefined || looks.kind !== 'found') return looks
    const planned = await planFile(path, false, inspect)
    if (planned.kind !== 'found') return planned
    return {
      kind: 'found',
      resources: [...looks.resources, planned.resource],
      effects: [...looks.effects, planned.effect],
    }
  },
  async run({ mailbox, emailId, attachment, path }, { mail, files }, signal) {
    if (!mailbox) return failed(noAccount)
    const place = requirePlace(emailId)
    if (attachment !== undefined && path !== undefined) {
      const file = await mail.attachment(mailbox, place, attachment, signal)
      if (file.kind === 'failed') return failed(file.reason)
      const kept = await keepFile({ files }, { path, bytes: file.bytes, told: `attachment ${attachment}` })
      return { ...kept, ...labelOfSenders([file.sender]) }
    }
    const outcome = await mail.read(mailbox, place, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { mail: read, sender } = outcome
    const summary = `E-mail from ${peopleText(read.from) || 'nobody'}: ${read.subject || '(no subject)'}`
    return { ...succeeded(contentText(emailId, read, sender), summary), ...labelOfSenders([sender]) }
  },
})
