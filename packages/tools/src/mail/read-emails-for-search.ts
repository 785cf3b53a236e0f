/** Reads e-mails of an account that the operator made searchable, a few at a time. The product calls it. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { type AccountArgs, accountInput, noAccount } from './account-argument.ts'
import { looksAt, mailEffects, mailLabel, mailTool } from './mail-effects.ts'
import { KnownMailbox } from './searched-mail.ts'

type ReadArgs = AccountArgs & { readonly known?: KnownMailbox }

export const readEmailsForSearch = defineTool<ReadArgs>({
  ...mailTool,
  runs: 'executor',
  name: 'read_emails_for_search',
  version: '1',
  description: 'Read e-mails of an account for the search by meaning.',
  input: z.strictObject({
    ...accountInput,
    known: KnownMailbox.exactOptional(),
  }) as unknown as z.ZodType<ReadArgs>,
  tags: ['mail', 'search', 'index'],
  effect: 'pure',
  floor: 0,
  output: mailLabel,
  hidden: true,
  byHand: true,
  sandbox: 'documents',
  describe: ({ account }) => `Read e-mails of ${account} for the search by meaning`,
  preview: ({ mailbox }) => ({ kind: 'text', title: 'Which account', text: mailbox?.address ?? '' }),
  effects: async ({ mailbox }, inspect) =>
    mailEffects(mailbox, ['IMAP'], [looksAt(`the folders of ${mailbox?.address}`)], inspect),
  async run({ mailbox, known }, { mail }, signal) {
    if (!mailbox) return failed(noAccount)
    const outcome = await mail.searched(mailbox, known, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { folders, waiting } = outcome.searched
    const read = folders.reduce((sum, each) => sum + (each.kind === 'looked' ? each.mails.length : 0), 0)
    const more = waiting > 0 ? `, ${waiting} for the next look` : ''
    return succeeded(JSON.stringify(outcome.searched), `${read} e-mails${more}`)
  },
})
