/**
 * Owns which pictures of a conversation a model is shown: the newest few, each only where its bytes are those that were
 * sent with the message, are a picture by their own account, and are not too large. Of all others it is told in words
 * that they are there and why they are not shown.
 */
import type { ModelImage, ModelMessage } from '@countersign/agent'
import { type Attachment, isPicture, type PictureType, withAttachmentLines } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { readPictureHeader } from './picture-header.ts'

/** In bytes, pixels and number: what every provider takes. */
export const pictureLimits = {
  bytes: 3_750_000,
  side: 8_000,
  pixels: 40_000_000,
  /** Of one prompt. */
  count: 8,
  allBytes: 12_000_000,
} as const

/** What was said, with the files that went with it. */
export type PastMessage =
  | Exclude<ModelMessage, { role: 'user' }>
  | { readonly role: 'user'; readonly text: string; readonly attachments: readonly Attachment[] }

export interface PicturePorts {
  /** The file of the workspace; nothing where it is not there, is no file, or is longer. */
  readonly read: (path: string, most: number) => Promise<Uint8Array | undefined>
  /** Whether a model that may answer takes pictures. */
  readonly areTaken: () => Promise<boolean>
}

export interface ShownPictures {
  readonly messages: readonly ModelMessage[]
  /** The files whose pictures a message holds. */
  readonly filesOf: ReadonlyMap<ModelMessage, readonly string[]>
}

export async function showPictures(
  past: readonly PastMessage[],
  ports: PicturePorts,
): Promise<ShownPictures> {
  const seen = await seenOf(newestFirst(past), ports)
  const filesOf = new Map<ModelMessage, readonly string[]>()
  const messages = past.map((message): ModelMessage => {
    if (message.role !== 'user') return message
    const { text, attachments } = message
    const noteOf = (file: Attachment) => {
      const found = seen.get(file)
      if (found === undefined) return isPicture(file) ? 'an earlier picture, which is no longer shown' : ''
      return found.kind === 'shown' ? 'this picture is shown to you' : `not shown to you: ${found.because}`
    }
    const told = { role: 'user' as const, text: withAttachmentLines(text, attachments, noteOf) }
    const shown = attachments.flatMap((file) => {
      const found = seen.get(file)
      return found?.kind === 'shown' ? [{ file, image: found.image }] : []
    })
    if (shown.length === 0) return told
    const withImages = { ...told, images: shown.map(({ image }) => image) }
    filesOf.set(
      withImages,
      shown.map(({ file }) => file.path),
    )
    return withImages
  })
  return { messages, filesOf }
}

type SeenPicture =
  | { readonly kind: 'shown'; readonly image: ModelImage }
  | { readonly kind: 'unseen'; readonly because: string }

/** By the attachment itself: the same file may have gone with two messages. */
async function seenOf(
  pictures: readonly Attachment[],
  ports: PicturePorts,
): Promise<ReadonlyMap<Attachment, SeenPicture>> {
  const seen = new Map<Attachment, SeenPicture>()
  if (pictures.length === 0) return seen
  const areTaken = await ports.areTaken()
  let left: number = pictureLimits.allBytes
  for (const file of pictures) {
    if (!areTaken) seen.set(file, unseen('the model that answers takes no pictures, so you cannot see it.'))
    else if (file.bytes > left) break
    else {
      const found = await look(file, ports.read)
      if (found.kind === 'shown') left -= file.bytes
      seen.set(file, found)
    }
  }
  return seen
}

async function look(file: Attachment, read: PicturePorts['read']): Promise<SeenPicture> {
  const { bytes: most, side, pixels } = pictureLimits
  if (file.bytes > most)
    return unseen(
      `it has ${file.bytes} bytes, and ${most} at most are shown. A smaller copy can be attached.`,
    )
  const bytes = await read(file.path, file.bytes)
  if (bytes === undefined || sha256Hex(bytes) !== file.sha256)
    return unseen(
      'the file at that place is not the one that was sent, or is gone. It can be attached again.',
    )
  const header = readPictureHeader(bytes)
  if (!header) return unseen('its content is no PNG, JPEG, WebP or GIF picture, whatever its name says.')
  const { type, width, height } = header
  if (width > side || height > side || width * height > pixels)
    return unseen(
      `it has ${width} x ${height} pixels, and ${side} to a side and ${pixels} in all are shown at most.`,
    )
  return { kind: 'shown', image: imageOf(bytes, type) }
}

function imageOf(bytes: Uint8Array, mediaType: PictureType): ModelImage {
  return { mediaType, base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64') }
}

function unseen(because: string): SeenPicture {
  return { kind: 'unseen', because }
}

function newestFirst(past: readonly PastMessage[]): readonly Attachment[] {
  return past
    .toReversed()
    .flatMap((message) => (message.role === 'user' ? message.attachments.filter(isPicture) : []))
    .slice(0, pictureLimits.count)
}
