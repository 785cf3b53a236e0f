/**
 * Owns how files of a chat come into the workspace: fetched by the adapter, written by a call through the door, with the
 * label of whoever sent them. Those of guests are not taken.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InboundMessage } from '@countersign/channels'
import {
  type Attachment,
  attachmentOf,
  attachmentPath,
  type Label,
  largestUpload,
  largestUploadPart,
  type OperatorId,
  type RunId,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import type { UploadStore } from '../workspace/upload-store.ts'
import type { Peer } from './peers.ts'

export interface ChatFileParts {
  readonly kernel: Pick<Kernel, 'callTool' | 'readOnly'>
  readonly operator: OperatorId
  readonly uploads: UploadStore
}

/** A call that is asked about, or waits, is not waited for. */
const patienceMs = 20_000
const lookMs = 50

export function createChatFiles({ kernel, operator, uploads }: ChatFileParts) {
  async function isDone(run: RunId): Promise<boolean> {
    const until = Date.now() + patienceMs
    while (Date.now() < until) {
      const row = await kernel.readOnly(operator, (db) =>
        db.selectFrom('runs').select(['state', 'reason']).where('id', '=', run).executeTakeFirst(),
      )
      if (row?.state !== 'running') return row?.state === 'stopped' && row.reason === 'completed'
      await sleep(lookMs)
    }
    return false
  }

  async function put(
    name: string,
    bytes: Uint8Array,
    label: Label | undefined,
    by: string,
  ): Promise<Attachment | undefined> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const path = attachmentPath(name, crypto.randomUUID())
    for (let at = 0; at === 0 || at < bytes.length; )
      at = (await uploads.add(sha256, at, bytes.subarray(at, at + largestUploadPart))) || bytes.length + 1
    const args = { path, sha256, size: bytes.length }
    const call = { tool: 'write_upload', args: JSON.stringify(args), ...(label ? { label } : {}) }
    const { run } = await kernel.callTool(operator, call, { kind: 'operator', id: by })
    return (await isDone(run)) ? attachmentOf({ path, name, sha256, bytes: bytes.length }) : undefined
  }

  /** Those that could be had. */
  return async function filesOf(
    { files }: InboundMessage,
    { role, channel, peer, limits }: Peer,
    label: Label | undefined,
    fetch: (ref: string, most: number) => Promise<Uint8Array | undefined>,
  ): Promise<Attachment[]> {
    const mayWrite = limits.tier >= 1 && (limits.tools?.includes('write_upload') ?? true)
    if (role === 'guest' || (role !== 'operator' && !mayWrite)) return []
    const taken: Attachment[] = []
    for (const { ref, name, bytes: size } of files) {
      if (size !== null && size > largestUpload) continue
      const bytes = await fetch(ref, largestUpload)
      const attachment = bytes && (await put(name === '' ? 'file' : name, bytes, label, `${channel}/${peer}`))
      if (attachment) taken.push(attachment)
    }
    return taken
  }
}
