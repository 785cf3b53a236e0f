import type { ToolDefinition } from '../definition.ts'
import { checkEmailAccount } from './check-email-account.ts'
import { deleteEmail } from './delete-email.ts'
import { listEmails } from './list-emails.ts'
import { lookForNewEmails } from './look-for-new-emails.ts'
import { readEmail } from './read-email.ts'
import { readEmailsForSearch } from './read-emails-for-search.ts'
import { replyEmail } from './reply-email.ts'
import { restoreEmail } from './restore-email.ts'
import { searchEmails } from './search-emails.ts'
import { sendEmail } from './send-email.ts'

export const emailTools: readonly ToolDefinition[] = [
  listEmails,
  searchEmails,
  readEmail,
  sendEmail,
  replyEmail,
  deleteEmail,
  restoreEmail,
  checkEmailAccount,
  lookForNewEmails,
  readEmailsForSearch,
]
