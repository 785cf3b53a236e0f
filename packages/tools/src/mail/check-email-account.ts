/** Tries an account: signs in at both of its servers and changes nothing. The operator calls it by hand. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { type AccountArgs, accountInput, noAccount } from './account-argument.ts'
import { looksAt, mailEffects, mailTool, ownMailLabel } from './mail-effects.ts'

export const checkEmailAccount = defineTool<AccountArgs>({
  ...mailTool,
  runs: 'executor',
  name: 'check_email_account',
  version: '1',
  description: 'Sign in at both servers of an e-mail account, to see whether it works.',
  input: z.strictObject(accountInput) as unknown as z.ZodType<AccountArgs>,
  tags: ['mail', 'test'],
  effect: 'pure',
  floor: 0,
  output: ownMailLabel,
  hidden: true,
  byHand: true,
  sandbox: 'none',
  describe: ({ mailbox }) => `Try the e-mail account${mailbox ? ` ${mailbox.address}` : ''}`,
  preview: ({ mailbox }) => ({ kind: 'text', title: 'Which account', text: mailbox?.address ?? '' }),
  effects: async ({ mailbox }, inspect) =>
    mailEffects(mailbox, ['IMAP', 'SMTP'], [looksAt(`the account ${mailbox?.address}`)], inspect),
  async run({ mailbox }, { mail }, signal) {
    if (!mailbox) return failed(noAccount)
    const outcome = await mail.check(mailbox, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Signed in at both servers of ${mailbox.address}`
    return succeeded(`${summary}. Folders: ${outcome.folders.join(', ')}`, summary)
  },
})
