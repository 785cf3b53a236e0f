/** Lists e-mails of a folder, the newest first. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { type AccountArgs, accountInput, noAccount, whose } from './account-argument.ts'
import { FolderName } from './email-id.ts'
import { labelOfSenders, looksAt, mailEffects, mailLabel, mailTool } from './mail-effects.ts'
import { mailLines } from './mail-lines.ts'

type ListArgs = AccountArgs & {
  readonly folder: string
  readonly unreadOnly: boolean
  readonly limit: number
}

export const listEmails = defineTool<ListArgs>({
  ...mailTool,
  runs: 'executor',
  name: 'list_emails',
  version: '2',
  description: 'List e-mails of a folder, the newest first.',
  input: z.strictObject({
    ...accountInput,
    folder: FolderName.default('INBOX'),
    unreadOnly: z.boolean().default(false),
    limit: z.int().min(1),
  }) as unknown as z.ZodType<ListArgs>,
  limit: { param: 'limit', max: 50, default: 20 },
  tags: ['mail', 'inbox', 'unread', 'messages', 'new mail', 'imap', 'check'],
  effect: 'pure',
  floor: 0,
  output: mailLabel,
  sandbox: 'documents',
  describe: (args) => `List e-mails in ${args.folder}${whose(args)}`,
  preview: ({ folder, limit, unreadOnly }) => ({
    kind: 'text',
    title: 'Which e-mails',
    text: `The newest ${limit}${unreadOnly ? ' unread' : ''} in ${folder}`,
  }),
  effects: async ({ mailbox, folder }, inspect) =>
    mailEffects(mailbox, ['IMAP'], [looksAt(`${folder} of ${mailbox?.address}`)], inspect),
  async run({ mailbox, folder, unreadOnly, limit }, { mail }, signal) {
    if (!mailbox) return failed(noAccount)
    const outcome = await mail.list(mailbox, { folder, limit, unreadOnly }, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { mails, total } = outcome
    const summary = `${mails.length} of ${total} e-mails in ${folder}`
    if (mails.length === 0) return succeeded(`No e-mails in ${folder}.`, `No e-mails in ${folder}`)
    const told = succeeded(`${summary}:\n${mailLines(mailbox.name, mails)}`, summary)
    return { ...told, ...labelOfSenders(mails.map(({ sender }) => sender)) }
  },
})
