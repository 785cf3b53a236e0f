/** Brings an e-mail back to the folder it was in, or takes a draft away again. For undo only. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { type AccountArgs, accountInput, noAccount, whose } from './account-argument.ts'
import { EmailId, FolderName, emailId as idOf, requirePlace } from './email-id.ts'
import { changes, mailEffects, mailTool, ownMailLabel } from './mail-effects.ts'

type RestoreArgs = AccountArgs & { readonly emailId: string; readonly to: string }

/** The word for the folder of what is thrown away, whatever the server calls it. */
const trash = 'trash'

export const restoreEmail = defineTool<RestoreArgs>({
  ...mailTool,
  runs: 'executor',
  name: 'restore_email',
  version: '1',
  description: 'Move an e-mail back to where it was.',
  input: z.strictObject({
    ...accountInput,
    emailId: EmailId,
    to: FolderName,
  }) as unknown as z.ZodType<RestoreArgs>,
  tags: ['mail', 'undo'],
  effect: 'once',
  floor: 1,
  output: ownMailLabel,
  hidden: true,
  undo: 'restore_email',
  sandbox: 'none',
  describe: (args) => `Move an e-mail${whose(args)} to ${args.to}`,
  preview: ({ emailId, to }) => ({ kind: 'text', title: 'Which e-mail', text: `${emailId}\nto ${to}` }),
  effects: async ({ mailbox, emailId, to }, inspect) => {
    const { folder, uid } = requirePlace(emailId)
    const object = `e-mail ${uid} in ${folder} of ${mailbox?.address}, to ${to}`
    return mailEffects(mailbox, ['IMAP'], [changes('write', object)], inspect)
  },
  async run({ mailbox, emailId, to }, { mail }, signal) {
    if (!mailbox) return failed(noAccount)
    const place = requirePlace(emailId)
    const outcome = await mail.move(mailbox, place, to === trash ? 'trash' : { folder: to }, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const now = idOf(mailbox.name, outcome.place)
    const undo = {
      tool: 'restore_email',
      args: { account: mailbox.name, mailbox, emailId: now, to: place.folder },
    }
    const summary = `Moved an e-mail to ${outcome.place.folder}`
    return succeeded(`${summary}. Its id is now ${now}.`, summary, undo)
  },
})
