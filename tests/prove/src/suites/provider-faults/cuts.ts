/** Cuts every recording at every byte, closed properly and torn. What comes of it is the whole reply or a failure. */
import { ask, type ModelAnswer } from './ask.ts'
import type { ByteServer } from './byte-server.ts'
import type { Recording } from './recordings.ts'
import { readBytes } from './reference.ts'

export interface Cut {
  readonly recording: Recording
  readonly at: number
  readonly ends: 'clean' | 'reset'
}

/** All of them, or as many as fit, spread evenly. */
export function cutsOf(recordings: readonly Recording[], most: number): readonly Cut[] {
  const all = recordings.flatMap((recording) =>
    Array.from({ length: recording.bytes.length + 1 }, (_, at) => at).flatMap((at): Cut[] => [
      { recording, at, ends: 'clean' },
      { recording, at, ends: 'reset' },
    ]),
  )
  if (all.length <= most) return all
  return Array.from(
    { length: most },
    (_, index) => all[Math.floor(((index + 0.5) * all.length) / most)],
  ).filter((cut) => cut !== undefined)
}

/** What went wrong, in words. */
export async function tryCut(server: ByteServer, { recording, at, ends }: Cut): Promise<string | undefined> {
  const bytes = recording.bytes.subarray(0, at)
  const answer = await ask(server, recording.kind, {
    status: 200,
    contentType: contentTypeOf(recording),
    bytes,
    ends,
    pieces: 1,
  })
  const wrong = judge(answer, recording, bytes, ends)
  return wrong === undefined ? undefined : `${recording.name} cut at ${at}, ${ends}: ${wrong}`
}

export function contentTypeOf({ kind }: Pick<Recording, 'kind'>): string {
  return kind === 'ollama' ? 'application/x-ndjson' : 'text/event-stream'
}

function judge(
  answer: ModelAnswer | string,
  recording: Recording,
  bytes: Buffer,
  ends: Cut['ends'],
): string | undefined {
  if (typeof answer === 'string') return answer
  if (answer.type === 'failed') {
    const isWhole = ends === 'clean' && bytes.length === recording.bytes.length
    return isWhole ? `the whole recording failed: ${answer.failure.message}` : undefined
  }
  const { text, calls } = answer.reply
  if (!readBytes(recording.kind, bytes).ended) return 'a reply came of a stream that was not over'
  if (text !== recording.text) return `the text is ${JSON.stringify(text)}`
  if (JSON.stringify(calls) !== JSON.stringify(recording.calls))
    return `the calls are ${JSON.stringify(calls)}`
  return undefined
}
