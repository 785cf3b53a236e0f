/** A scripted model that streams a hundred tokens, in a process of its own. Remembers when it was asked for what. */
import { startModelServer } from '@countersign/model-servers'
import { answerParent } from '../side-process.ts'

export type StreamingQuestion = { readonly kind: 'start' } | { readonly kind: 'asked' }
export type StreamingAnswer =
  | { readonly url: string }
  /** The words of the request, and when it came: milliseconds of the time of day, with fractions. */
  | { readonly asked: readonly (readonly [words: string, at: number])[] }

const tokens = 100
const charactersEach = 5

let asked: (readonly [string, number])[] = []

const text = Array.from({ length: tokens }, (_, index) => `${1_000 + index} `).join('')
// A stream is asked for with `<pace> <anything>`; the pace is the milliseconds before each token.
const server = await startModelServer({
  script: ({ lastUser }) => {
    asked.push([lastUser, performance.timeOrigin + performance.now()])
    return { text, chunkSize: charactersEach, tokenDelayMs: Number(lastUser.split(' ')[0]) }
  },
  keepRequests: 10,
})

answerParent<StreamingQuestion, StreamingAnswer>(({ kind }) => {
  if (kind === 'start') return Promise.resolve({ url: server.url })
  const answer = { asked }
  asked = []
  return Promise.resolve(answer)
})
