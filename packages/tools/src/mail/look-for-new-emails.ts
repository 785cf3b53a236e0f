/** Looks what came into a folder since the last look, for automations that begin with an e-mail. The product calls it. */
import { MailFolder } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { type AccountArgs, accountInput, noAccount } from './account-argument.ts'
import { SeenUpTo, type WantedMail } from './arrivals.ts'
import { looksAt, mailEffects, mailLabel, mailTool } from './mail-effects.ts'

type LookArgs = AccountArgs & WantedMail

export const lookForNewEmails = defineTool<LookArgs>({
  ...mailTool,
  runs: 'executor',
  name: 'look_for_new_emails',
  version: '1',
  description: 'Look what came into a folder since the last look.',
  input: z.strictObject({
    ...accountInput,
    folder: MailFolder,
    after: SeenUpTo.exactOptional(),
    from: z.string().max(254).exactOptional(),
    subject: z.string().max(200).exactOptional(),
  }) as unknown as z.ZodType<LookArgs>,
  tags: ['mail', 'new mail', 'automation'],
  effect: 'pure',
  floor: 0,
  output: mailLabel,
  hidden: true,
  byHand: true,
  sandbox: 'documents',
  describe: ({ account, folder }) => `Look for new e-mails in ${folder} of ${account}`,
  preview: ({ mailbox, folder }) => ({
    kind: 'text',
    title: 'Which folder',
    text: `${folder} of ${mailbox?.address}`,
  }),
  effects: async ({ mailbox, folder }, inspect) =>
    mailEffects(mailbox, ['IMAP'], [looksAt(`${folder} of ${mailbox?.address}`)], inspect),
  async run({ mailbox, account: _account, ...wanted }, { mail }, signal) {
    if (!mailbox) return failed(noAccount)
    const outcome = await mail.arrived(mailbox, wanted, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { mails, waiting } = outcome.arrivals
    const more = waiting > 0 ? `, ${waiting} for the next look` : ''
    return succeeded(JSON.stringify(outcome.arrivals), `${mails.length} new e-mails${more}`)
  },
})
