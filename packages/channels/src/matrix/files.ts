/** Owns how files are found again, fetched and sent, also those that only their room can read. */
import { z } from 'zod'
import { cleanText, cutText } from '../frame/clean-text.ts'
import type { InboundFile } from '../frame/events.ts'
import type { OutboundFile } from '../frame/protocol.ts'
import { decryptFile, encryptFile } from './encryption.ts'
import { type Answer, doneOr, type Homeserver } from './homeserver.ts'

const mxc = /^mxc:\/\/([A-Za-z0-9.:[\]-]{1,255})\/([A-Za-z0-9_-]{1,255})$/
const Address = z.string().regex(mxc)
/** With the keys, where it is encrypted. */
const Sealed = z.looseObject({
  url: Address,
  key: z.unknown().optional(),
  iv: z.string(),
  hashes: z.unknown().optional(),
})
const Ref = z.union([z.strictObject({ url: Address }), z.strictObject({ file: Sealed })])

export const FileContent = z.object({
  body: z.string(),
  filename: z.string().optional().catch(undefined),
  url: Address.optional().catch(undefined),
  file: Sealed.optional().catch(undefined),
  info: z
    .object({ size: z.int().min(0).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  'org.matrix.msc3245.voice': z.unknown().optional(),
  'm.voice': z.unknown().optional(),
})

/** Undefined where it has no file. */
export function fileOf(content: unknown): InboundFile | undefined {
  const read = FileContent.safeParse(content)
  if (!read.success) return undefined
  const { body, filename, url, file, info } = read.data
  if (!url && !file) return undefined
  const ref = JSON.stringify(file ? { file } : { url })
  if (ref.length > 2_000) return undefined
  return {
    ref,
    name: shownName(filename ?? body),
    bytes: info?.size ?? null,
    voice: read.data['org.matrix.msc3245.voice'] !== undefined || read.data['m.voice'] !== undefined,
  }
}

export const shownName = (name: string): string =>
  cutText(cleanText(name).replaceAll(/\s+/g, ' ').trim(), 300)

export async function fetchFile(homeserver: Homeserver, ref: string, most: number): Promise<Uint8Array> {
  const read = Ref.parse(JSON.parse(ref))
  const [, server = '', media = ''] = mxc.exec('file' in read ? read.file.url : read.url) ?? []
  const answer = await homeserver.ask('GET', ['client', 'v1', 'media', 'download', server, media], {
    most,
    raw: true,
  })
  const bytes = doneOr(answer)
  if (!(bytes instanceof Uint8Array)) throw new Error('The homeserver gave no file.')
  if (!('file' in read)) return bytes
  const { url: _, ...info } = read.file
  return decryptFile(bytes, info)
}

export interface UploadedFile {
  /** What the message says of it. */
  readonly content: Readonly<Record<string, unknown>>
}

export async function uploadFile(
  homeserver: Homeserver,
  { name, mediaType, bytes }: OutboundFile,
  encrypted: boolean,
): Promise<UploadedFile | Exclude<Answer, { kind: 'done' }>> {
  const filename = cutText(shownName(name).replaceAll(/[/\\]/g, '_'), 200) || 'file'
  const type = /^[a-z]+\/[a-z0-9.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream'
  const sealed = encrypted ? encryptFile(bytes) : undefined
  const answer = await homeserver.ask('POST', ['media', 'v3', 'upload'], {
    body: sealed?.bytes ?? bytes,
    mediaType: sealed ? 'application/octet-stream' : type,
    ...(sealed ? {} : { query: { filename } }),
  })
  if (answer.kind !== 'done') return answer
  const { content_uri: url } = z.object({ content_uri: Address }).parse(answer.body)
  return {
    content: {
      msgtype: `m.${/^(image|audio|video)\//.exec(type)?.[1] ?? 'file'}`,
      filename,
      info: { mimetype: type, size: bytes.byteLength },
      ...(sealed ? { file: { ...sealed.info, url } } : { url }),
    },
  }
}
