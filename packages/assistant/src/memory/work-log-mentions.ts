/** Forgetting in the log of calls, which the kernel keeps and rewrites itself. */
import type { MentionRemover } from './mentions.ts'

export const workLogMentions: MentionRemover = {
  remove: ({ forgetting }, { content }) => forgetting.forgetWords(content),
}
