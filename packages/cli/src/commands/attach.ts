/**
 * Owns the files that go with a message: each is put into the workspace by the same door as every other write, and the
 * message says where and what. Refuses what is no file or too large before anything is sent.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import {
  type Attachment,
  attachmentOf,
  attachmentPath,
  CountersignError,
  largestUpload,
  mostAttachments,
} from '@countersign/contract'
import { type Client, uploadCall } from '@countersign/contract/client'
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
  const ports = { send: client.uploadPart, base64: base64Of, sha256: sha256Hex }
  const attachments: Attachment[] = []
  for (const [at, { name, bytes }] of files.entries()) {
    context.working(`Attaching ${line(name)}, ${at + 1} of ${files.length}`)
    const path = attachmentPath(name, randomUUID())
    const { tool, args } = await uploadCall(ports, path, bytes)
    const called = await client.callTool(tool, JSON.stringify(args))
    const answer = await settledDirectRun(context, client, called)
    if (answer.kind !== 'done') return { kind: 'stopped', answer }
    context.note(`Attached ${line(name)}, ${bytesWords(bytes.length)}.`)
    attachments.push(attachmentOf({ path, name, sha256: sha256Hex(bytes), bytes: bytes.length }))
  }
  context.rest()
  return { kind: 'attached', attachments }
}

const base64Of = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
