/** Owns what an adapter is asked to do by the gateway: whatever becomes of it is an answer, and nothing is thrown. */
import type { ChannelConnection } from './adapter.ts'
import type { FetchResult, OutboundMessage, SendResult, WebAnswer, WebRequest } from './protocol.ts'

/** Undefined before the start. */
type Opening = () => Promise<ChannelConnection> | undefined

export function send(opening: Opening, message: OutboundMessage): Promise<SendResult> {
  return sent(opening, (connection) => connection.send(message))
}

export function edit(opening: Opening, message: string, change: OutboundMessage): Promise<SendResult> {
  return sent(
    opening,
    async (connection) =>
      (await connection.edit?.(message, change)) ?? {
        kind: 'refused',
        problem: 'What was sent there cannot be changed.',
      },
  )
}

/** What cannot even be begun may go later; what fails on the way may have arrived. */
async function sent(
  opening: Opening,
  work: (connection: ChannelConnection) => Promise<SendResult>,
): Promise<SendResult> {
  let connection: ChannelConnection | undefined
  try {
    connection = await opening()
  } catch (error) {
    return { kind: 'later', afterMs: null, problem: textOf(error) }
  }
  if (!connection) return { kind: 'later', afterMs: null, problem: 'The channel is not open.' }
  try {
    return await work(connection)
  } catch (error) {
    return { kind: 'unknown', problem: textOf(error) }
  }
}

export async function fetchFile(opening: Opening, ref: string, most: number): Promise<FetchResult> {
  try {
    const connection = await opening()
    if (!connection?.fetch) return { kind: 'failed', problem: 'Files cannot be fetched here.' }
    const bytes = await connection.fetch(ref, most)
    if (bytes.byteLength > most) return { kind: 'failed', problem: `It is larger than ${most} bytes.` }
    return { kind: 'fetched', bytes }
  } catch (error) {
    return { kind: 'failed', problem: textOf(error) }
  }
}

export async function answer(opening: Opening, request: WebRequest): Promise<WebAnswer> {
  try {
    const connection = await opening()
    if (!connection) return notNow
    if (connection.request) return await connection.request(request)
    return { status: 404, mediaType: 'text/plain', text: 'Nothing is taken here.' }
  } catch {
    // The platform tries again; what went wrong is not for whoever asks.
    return notNow
  }
}

const notNow: WebAnswer = { status: 503, mediaType: 'text/plain', text: 'Not now.' }

export function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1_000)
}
