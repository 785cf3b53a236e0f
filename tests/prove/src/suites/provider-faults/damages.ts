/** Tries damaged streams: they end once and in time, and no call comes of them that their bytes do not hold whole. */
import type { RawCall } from '@countersign/agent'
import { ask } from './ask.ts'
import type { ByteServer } from './byte-server.ts'
import type { DamagedStream } from './damage.ts'
import type { Recording } from './recordings.ts'
import { type ReferenceReading, readBytes } from './reference.ts'

/** What went wrong, in words. */
export async function tryDamaged(
  server: ByteServer,
  recording: Recording,
  { how, delivery, mustFail }: DamagedStream,
): Promise<string | undefined> {
  const answer = await ask(server, recording.kind, delivery)
  const say = (words: string) =>
    `${recording.name}, ${how}, ${delivery.ends}: ${words} ${delivery.bytes.length < 4_000 ? JSON.stringify(delivery.bytes.toString('latin1')) : ''}`
  if (typeof answer === 'string') return say(answer)
  if (answer.type === 'failed') return undefined
  if (mustFail) return say('a reply came of it')
  const reading = readBytes(recording.kind, delivery.bytes)
  if (!reading.ended) return say('a reply came of a stream that was not over')
  const foreign = answer.reply.calls.filter((call) => isRunnable(call) && !isHeld(call, reading))
  return foreign.length === 0 ? undefined : say(`the bytes do not hold ${JSON.stringify(foreign)}`)
}

/** Others are answered with words and never run. */
export function isRunnable({ problem, args }: RawCall): boolean {
  if (problem !== undefined) return false
  try {
    const value: unknown = JSON.parse(args)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function isHeld({ name, args }: RawCall, reading: ReferenceReading): boolean {
  return reading.names.has(name) && reading.holds(args)
}
