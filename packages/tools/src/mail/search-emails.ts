/** Searches a folder by words, people and days. The server does the search. */
import { isDay } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { type AccountArgs, accountInput, noAccount, whose } from './account-argument.ts'
import { FolderName } from './email-id.ts'
import { labelOfSenders, looksAt, mailEffects, mailLabel, mailTool } from './mail-effects.ts'
import { mailLines } from './mail-lines.ts'

const day = z.string().refine(isDay, 'a day, as 2026-03-01')

type SearchArgs = AccountArgs & {
  readonly query: string
  readonly folder: string
  readonly from?: string
  readonly to?: string
  readonly subject?: string
  readonly since?: string
  readonly before?: string
  readonly limit: number
}

export const searchEmails = defineTool<SearchArgs>({
  ...mailTool,
  runs: 'executor',
  name: 'search_emails',
  version: '2',
  description: 'Search e-mails by words, people and days, the newest first.',
  input: z.strictObject({
    ...accountInput,
    query: nameText(200).describe('Words in the e-mail'),
    folder: FolderName.default('INBOX'),
    from: nameText(200).exactOptional(),
    to: nameText(200).exactOptional(),
    subject: nameText(200).exactOptional(),
    since: day.exactOptional(),
    before: day.exactOptional(),
    limit: z.int().min(1),
  }) as unknown as z.ZodType<SearchArgs>,
  limit: { param: 'limit', max: 100, default: 50 },
  tags: ['mail', 'find', 'messages', 'from', 'receipt', 'imap', 'look up'],
  effect: 'pure',
  floor: 0,
  output: mailLabel,
  sandbox: 'documents',
  describe: (args) => `Search e-mails in ${args.folder}${whose(args)} for ${args.query}`,
  preview: ({ query, folder, from, to, subject, since, before }) => ({
    kind: 'text',
    title: 'What is searched for',
    text: Object.entries({ query, folder, from, to, subject, since, before })
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
      .join('\n'),
  }),
  effects: async ({ mailbox, folder }, inspect) =>
    mailEffects(mailbox, ['IMAP'], [looksAt(`${folder} of ${mailbox?.address}`)], inspect),
  async run({ mailbox, query, folder, limit, from, to, subject, since, before }, { mail }, signal) {
    if (!mailbox) return failed(noAccount)
    const search = {
      words: query,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(subject === undefined ? {} : { subject }),
      ...(since === undefined ? {} : { since }),
      ...(before === undefined ? {} : { before }),
    }
    const outcome = await mail.list(mailbox, { folder, limit, unreadOnly: false, search }, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { mails, total } = outcome
    if (mails.length === 0)
      return succeeded(
        `No e-mail in ${folder} fits. Another folder or fewer words may help.`,
        'No e-mail fits',
      )
    const summary = `${mails.length} of ${total} e-mails that fit in ${folder}`
    const told = succeeded(`${summary}:\n${mailLines(mailbox.name, mails)}`, summary)
    return { ...told, ...labelOfSenders(mails.map(({ sender }) => sender)) }
  },
})
