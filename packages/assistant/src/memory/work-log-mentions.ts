/** Forgetting in the log of calls, which the kernel keeps and rewrites itself. */
import type { Mentions } from './mentions.ts'

export const workLogMentions: Mentions = {
  remove: ({ forgetting }, { content }) => forgetting.forgetWords(content),
}
