/** How a model can fail, by the name of what is wrong. */
import type { ScriptReply } from './script.ts'

export const faultyReplies: Readonly<Record<string, ScriptReply>> = {
  'wrong key': { status: 401 },
  'no credit': { status: 402 },
  'too often': { status: 429, retryAfter: 60 },
  broken: { status: 500 },
  cut: { text: 'word '.repeat(200), truncateAfterBytes: 400 },
  empty: { text: '' },
}
