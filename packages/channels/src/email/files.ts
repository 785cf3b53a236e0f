/** Owns how a file that came with an e-mail is found again, also after a restart and after the server changed its numbers. */
import { createHash } from 'node:crypto'
import type { ImapFlow } from 'imapflow'
import { z } from 'zod'
import { largestMail } from './imap-line.ts'
import { contentOf, messageIdForm, readLetter } from './letter.ts'

const FileRef = z.strictObject({
  messageId: z.string().regex(messageIdForm).nullable(),
  validity: z.string().max(40),
  uid: z.int().min(1),
  index: z.int().min(0).max(100),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type FileRef = z.infer<typeof FileRef>

/** By what does not change where the e-mail has such a name, since the same e-mail is to be told in the same words. */
export function fileRef({ messageId, validity, uid, index, sha256 }: FileRef): string {
  const place = messageId === null ? `${validity}/${uid}` : messageId
  return `${index}/${sha256}/${place}`
}

function readRef(ref: string): FileRef | undefined {
  const [, index = '', sha256 = '', place = ''] = /^(\d{1,3})\/([0-9a-f]{64})\/(.+)$/.exec(ref) ?? []
  const [, validity = '0', uid = '1'] = /^(\d{1,30})\/(\d{1,10})$/.exec(place) ?? []
  const messageId = place.startsWith('<') ? place : null
  if (messageId === null && !/^\d{1,30}\/\d{1,10}$/.test(place)) return undefined
  return FileRef.safeParse({ messageId, validity, uid: Number(uid), index: Number(index), sha256 }).data
}

const mostCopies = 5
const gone = 'There is no such file any more.'

export async function fetchFile(client: ImapFlow, ref: string, most: number): Promise<Uint8Array> {
  const wanted = readRef(ref)
  if (!wanted) throw new Error(gone)
  for (const uid of await placesOf(client, wanted)) {
    const known = await client.fetchOne(String(uid), { uid: true, size: true }, { uid: true })
    if (!known || (known.size ?? 0) > largestMail) continue
    const message = await client.fetchOne(String(uid), { source: true }, { uid: true })
    const source = message ? message.source : undefined
    const letter = source && (await readLetter(source).catch(() => undefined))
    const file = letter?.files[wanted.index]
    const bytes = file && contentOf(file)
    // Whoever else calls an e-mail so does not put another file in its place.
    if (!bytes || createHash('sha256').update(bytes).digest('hex') !== wanted.sha256) continue
    if (bytes.byteLength > most) throw new Error(`It is larger than ${most} bytes.`)
    return bytes
  }
  throw new Error(gone)
}

async function placesOf(client: ImapFlow, { messageId, validity, uid }: FileRef): Promise<number[]> {
  if (messageId !== null) {
    const found = (await client.search({ header: { 'message-id': messageId } }, { uid: true })) || []
    return found.slice(0, mostCopies)
  }
  const { mailbox } = client
  return mailbox !== false && String(mailbox.uidValidity) === validity ? [uid] : []
}
