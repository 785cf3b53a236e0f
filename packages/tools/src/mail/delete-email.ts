/** Moves an e-mail to the folder for what is thrown away, from where it can be brought back. Never deletes for good. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { type AccountArgs, accountInput, noAccount, whose } from './account-argument.ts'
import { EmailId, emailId as idOf, requirePlace } from './email-id.ts'
import { changes, mailEffects, mailTool, ownMailLabel } from './mail-effects.ts'

type DeleteArgs = AccountArgs & { readonly emailId: string }

export const deleteEmail = defineTool<DeleteArgs>({
  ...mailTool,
  runs: 'executor',
  name: 'delete_email',
  version: '1',
  description: 'Move an e-mail to Trash. It can be undone.',
  input: z.strictObject({
    ...accountInput,
    emailId: EmailId.describe('As list_emails gives it'),
  }) as unknown as z.ZodType<DeleteArgs>,
  tags: ['mail', 'remove', 'trash', 'throw away', 'bin', 'clean up'],
  effect: 'once',
  floor: 1,
  output: ownMailLabel,
  undo: 'restore_email',
  sandbox: 'none',
  describe: (args) => `Move an e-mail${whose(args)} to Trash`,
  preview: ({ emailId }) => ({ kind: 'text', title: 'Which e-mail', text: emailId }),
  effects: async ({ mailbox, emailId }, inspect) => {
    const { folder, uid } = requirePlace(emailId)
    const object = `e-mail ${uid} in ${folder} of ${mailbox?.address}`
    return mailEffects(mailbox, ['IMAP'], [changes('delete', object)], inspect)
  },
  async run({ mailbox, emailId }, { mail }, signal) {
    if (!mailbox) return failed(noAccount)
    const place = requirePlace(emailId)
    const outcome = await mail.move(mailbox, place, 'trash', signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const now = idOf(mailbox.name, outcome.place)
    const undo = {
      tool: 'restore_email',
      args: { account: mailbox.name, mailbox, emailId: now, to: place.folder },
    }
    return succeeded(
      `Moved to ${outcome.place.folder}. Its id is now ${now}.`,
      'Moved an e-mail to Trash',
      undo,
    )
  },
})
