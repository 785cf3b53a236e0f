/**
 * Owns how files of a chat come into the workspace: fetched by the adapter, written by a call through the door, with the
 * label of whoever sent them, and heard where somebody spoke. Those of guests are not taken.
 */
import { createHash } from 'node:crypto'
import type { InboundMessage } from '@countersign/channels'
import {
  type Attachment,
  attachmentOf,
  attachmentPath,
  type Label,
  largestUpload,
  largestUploadPart,
  type OperatorId,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import type { UploadStore } from '../workspace/upload-store.ts'
import type { HearNote, SpokenNote } from './chat-speech.ts'
import { endOfCall } from './end-of-call.ts'
import { type Peer, peerId, requesterOf } from './peers.ts'

export interface ChatFileParts {
  readonly kernel: Pick<Kernel, 'callTool' | 'readOnly'>
  readonly operator: OperatorId
  readonly uploads: UploadStore
  readonly hear: HearNote
}

export interface TakenFiles {
  /** Those that could be had. */
  readonly attachments: readonly Attachment[]
  /** What was said in those of them that were spoken. */
  readonly spoken: readonly string[]
}

/** A call that is asked about, or waits, is not waited for. */
const patienceMs = 20_000
const none: TakenFiles = { attachments: [], spoken: [] }

export function createChatFiles({ kernel, operator, uploads, hear }: ChatFileParts) {
  /** Of somebody else it is done for them, within their limits, and counts for no act of the operator. */
  async function put(
    name: string,
    bytes: Uint8Array,
    { speaker, chat, label }: Pick<SpokenNote, 'speaker' | 'chat' | 'label'>,
  ): Promise<Attachment | undefined> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const path = attachmentPath(name, crypto.randomUUID())
    for (let at = 0; at === 0 || at < bytes.length; )
      at = (await uploads.add(sha256, at, bytes.subarray(at, at + largestUploadPart))) || bytes.length + 1
    const args = { path, sha256, size: bytes.length }
    const call = { tool: 'write_upload', args: JSON.stringify(args), ...(label ? { label } : {}) }
    const by = peerId(speaker.channel, speaker.peer)
    const { run } =
      speaker.role === 'operator'
        ? await kernel.callTool(operator, call, { kind: 'operator', id: by })
        : await kernel.callTool(
            operator,
            { ...call, requester: requesterOf(speaker, chat), byGateway: true },
            { kind: 'gateway', id: `channel/${by}` },
          )
    const { kind } = await endOfCall(kernel, operator, run, patienceMs)
    return kind === 'done' ? attachmentOf({ path, name, sha256, bytes: bytes.length }) : undefined
  }

  return async function filesOf(
    { files, chat }: InboundMessage,
    speaker: Peer,
    label: Label | undefined,
    fetch: (ref: string, most: number) => Promise<Uint8Array | undefined>,
  ): Promise<TakenFiles> {
    const { role, limits } = speaker
    const mayWrite = limits.tier >= 1 && (limits.tools?.includes('write_upload') ?? true)
    if (role === 'guest' || (role !== 'operator' && !mayWrite)) return none
    const attachments: Attachment[] = []
    const spoken: string[] = []
    for (const { ref, name, bytes: size, voice } of files) {
      if (size !== null && size > largestUpload) continue
      const bytes = await fetch(ref, largestUpload)
      const from = { speaker, chat: chat.id, label }
      const attachment = bytes && (await put(name === '' ? 'file' : name, bytes, from))
      if (!attachment) continue
      attachments.push(attachment)
      const words = voice ? await hear({ path: attachment.path, ...from }) : undefined
      if (words) spoken.push(words)
    }
    return { attachments, spoken }
  }
}
