/** The part of the typed client that installs optional parts on the gateway's host, and follows how far that is. */
import { z } from 'zod'
import { CountersignError } from '../errors.ts'
import { jsonIn } from '../json/plain.ts'
import { partRoutes } from '../routes/parts.ts'
import type { StreamCall } from './call.ts'

/** One line of the answer: how far it is, or how it ended. */
export const PartStep = z.union([
  z.strictObject({ fraction: z.number().min(0).max(1), words: z.string() }),
  z.strictObject({ installed: z.literal(true), version: z.string(), bytes: z.int() }),
  z.strictObject({ problem: z.string() }),
])
export type PartStep = z.infer<typeof PartStep>

/** A part of a few hundred megabytes over a slow line. */
const longestInstallMs = 3_600_000

export function partCalls(stream: StreamCall) {
  return {
    /** The last step says that it is installed, or what went wrong. */
    installPart: async (name: string): Promise<AsyncIterable<PartStep>> =>
      stepsIn(await stream(partRoutes.installPart, { params: { name } }, longestInstallMs)),
  }
}

async function* stepsIn(body: ReadableStream<Uint8Array> | null): AsyncGenerator<PartStep> {
  for await (const text of linesIn(body)) {
    const step = PartStep.safeParse(jsonIn(text))
    if (!step.success)
      throw new CountersignError(
        'internal',
        'The progress report of the gateway is not in the expected format.',
      )
    yield step.data
  }
}

async function* linesIn(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (body === null) return
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const found = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = found.pop() ?? ''
    yield* found.filter((each) => each.trim() !== '')
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield rest
}
