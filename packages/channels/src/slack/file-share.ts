/** Owns how a file gets into Slack: a place is asked for, filled, and shown. Nobody sees anything of it before the last step. */
import { z } from 'zod'
import type { OutboundFile, OutboundMessage, SendResult } from '../frame/protocol.ts'
import { webCall } from '../frame/web-call.ts'
import { messageBlocks } from './blocks.ts'
import { messageId } from './inbound.ts'
import type { SlackAnswer, SlackCall } from './web-api.ts'

export interface FileShareParts {
  readonly asBot: SlackCall
  /** Whether an address is one of Slack's. */
  readonly isTheirs: (url: string) => boolean
  readonly signal: AbortSignal
  /** What an answer other than `ok` says about a message. */
  readonly failed: (answer: Exclude<SlackAnswer, { kind: 'ok' }>) => SendResult
}

const UploadPlace = z.looseObject({ upload_url: z.string(), file_id: z.string().min(1).max(100) })
const uploadMs = 90_000

export async function shareFile(
  parts: FileShareParts,
  message: OutboundMessage,
  file: OutboundFile,
): Promise<SendResult> {
  const { asBot, failed } = parts
  const place = await asBot('files.getUploadURLExternal', {
    filename: file.name,
    length: String(file.bytes.byteLength),
  })
  if (place.kind !== 'ok') return notYet(failed(place))
  const { data } = UploadPlace.safeParse(place.data)
  if (!data || !parts.isTheirs(data.upload_url))
    return { kind: 'refused', problem: 'Slack named no place of its own for the file.' }
  const stored = await webCall(data.upload_url, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(file.bytes),
    most: 100_000,
    patienceMs: uploadMs,
    signal: parts.signal,
  })
  if (stored.kind !== 'answered') return { kind: 'later', afterMs: null, problem: stored.problem }
  if (stored.status !== 200)
    return { kind: 'later', afterMs: null, problem: `Slack did not take the file (${stored.status}).` }
  const blocks = messageBlocks(message)
  const shared = await asBot('files.completeUploadExternal', {
    files: JSON.stringify([{ id: data.file_id, title: file.name }]),
    channel_id: message.chat,
    thread_ts: message.thread ?? undefined,
    blocks: blocks.length > 0 ? JSON.stringify(blocks) : undefined,
  })
  if (shared.kind !== 'ok') return failed(shared)
  // Slack makes the message after its answer, so that only the file is known.
  return { kind: 'sent', message: messageId(message.chat, data.file_id) }
}

/** What was lost before anybody could see it was surely not sent. */
function notYet(result: SendResult): SendResult {
  return result.kind === 'unknown' ? { kind: 'later', afterMs: null, problem: result.problem } : result
}
