/**
 * Owns the files that go with a message: each is put into the workspace by the same door as every other write, and the
 * message says where and what. Refuses what is no file or too large before anything is sent.
 */
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { type Attachment, CountersignError, largestUpload, mostAttachments } from '@countersign/contract'
import { attachmentCall, type Client } from '@countersign/contract/client'
import { sha256Hex } from '@countersign/contract/node'
import type { Context } from '../context.ts'
import type { CommandAnswer } from '../output/answer.ts'
import { bytesWords } from '../output/bytes.ts'
import { line } from '../output/safe-text.ts'
import { settledDirectRun } from './direct-run.ts'

interface AttachedFile {
  readonly name: string
  readonly bytes: Buffer<ArrayBuffer>
}

export type Attached =
  | { readonly kind: 'attached'; readonly attachments: readonly Attachment[] }
  /** A file could not be put there, or waits for an approval. */
  | { readonly kind: 'stopped'; readonly answer: CommandAnswer }

/** The values of an option that repeats have a NUL between them. */
export function attachedFiles(value: string | boolean | undefined): string[] {
  return typeof value === 'string' ? value.split('\0') : []
}

export function readAttachments(paths: readonly string[]): AttachedFile[] {
  if (paths.length > mostAttachments)
    throw new CountersignError('usage', `At most ${mostAttachments} files go with one message.`, {
      next: 'Send the rest with another message. Nothing was sent.',
    })
  return paths.map((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isFile())
      throw new CountersignError('not_found', `${line(path)} is not a file.`, { next: 'Nothing was sent.' })
    if (found.size > largestUpload)
      throw new CountersignError(
        'usage',
        `${line(path)} has ${bytesWords(found.size)}; at most ${bytesWords(largestUpload)} can be attached.`,
        {
          next: 'Copy it into the workspace yourself (`countersign paths`) and mention it. Nothing was sent.',
        },
      )
    return { name: basename(path), bytes: readFileSync(path) }
  })
}

export async function attach(
  context: Context,
  client: Client,
  files: readonly AttachedFile[],
): Promise<Attached> {
  const ports = {
    send: client.uploadPart,
    read: client.filePart,
    base64: base64Of,
    bytesOf: (base64: string) => Buffer.from(base64, 'base64'),
    sha256: sha256Hex,
  }
  const attachments: Attachment[] = []
  for (const [at, { name, bytes }] of files.entries()) {
    context.working(`Attaching ${line(name)}, ${at + 1} of ${files.length}`)
    const { attachment, call } = await attachmentCall(ports, name, bytes)
    if (call !== null) {
      const called = await client.callTool(call.tool, JSON.stringify(call.args))
      const answer = await settledDirectRun(context, client, called)
      if (answer.kind !== 'done') return { kind: 'stopped', answer }
    }
    context.note(`Attached ${line(name)}, ${bytesWords(bytes.length)}.`)
    attachments.push(attachment)
  }
  context.rest()
  return { kind: 'attached', attachments }
}

const base64Of = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
