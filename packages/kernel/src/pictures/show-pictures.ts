/**
 * Owns which pictures of a conversation a model is shown: the newest few, each only where its bytes are those that were
 * sent with the message, are a picture by their own account, and are not too large. Of all others it is told in words
 * that they are there and why they are not shown.
 */
import { type ModelImage, type ModelMessage, promptPictures } from '@countersign/agent'
import {
  type Attachment,
  isPicture,
  type PictureFile,
  type PictureType,
  readerOf,
  withAttachmentLines,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { readPictureHeader } from './picture-header.ts'

/** In bytes and pixels: what every provider takes. */
export const pictureLimits = {
  bytes: 3_750_000,
  side: 8_000,
  pixels: 40_000_000,
} as const

/** What was said, with the files that went with it, and what was done, with the pictures that it made. */
export type PastMessage =
  | Extract<ModelMessage, { role: 'assistant' }>
  | { readonly role: 'user'; readonly text: string; readonly attachments: readonly Attachment[] }
  | (Extract<ModelMessage, { role: 'tool' }> & { readonly pictures: readonly PictureFile[] })

export interface PicturePorts {
  /** The file of the workspace; nothing where it is not there, is no file, or is longer. */
  readonly read: (path: string, most: number) => Promise<Uint8Array | undefined>
  /** Whether a model that may answer takes pictures. */
  readonly areTaken: () => Promise<boolean>
}

export interface ShownMessage {
  readonly messages: readonly ModelMessage[]
  /** The files whose pictures they hold. */
  readonly files: readonly string[]
}

/** What each message of the past becomes. */
export async function showPictures(
  past: readonly PastMessage[],
  ports: PicturePorts,
): Promise<readonly ShownMessage[]> {
  const seen = await seenOf(newestFirst(past), ports)
  return past.map((message): ShownMessage => {
    switch (message.role) {
      case 'assistant':
        return { messages: [message], files: [] }
      case 'user': {
        const { text, attachments } = message
        const told = withAttachmentLines(text, attachments, (file) => noteOf(file, seen.get(file)))
        const shown = shownOf(attachments, seen)
        return { messages: [withImages(told, shown)], files: shown.map(({ file }) => file.path) }
      }
      case 'tool': {
        const { pictures, ...results } = message
        const shown = shownOf(pictures, seen)
        if (shown.length === 0) return { messages: [results], files: [] }
        const files = shown.map(({ file }) => file.path)
        const told = `[This is no message of the operator. The calls above made these pictures: ${files.join(', ')}]`
        return { messages: [results, withImages(told, shown)], files }
      }
    }
  })
}

function noteOf(file: Attachment, seen: SeenPicture | undefined): string {
  if (seen === undefined && isPicture(file)) return 'an earlier picture, which is no longer shown'
  if (seen === undefined) return readingNote(readerOf(file))
  return seen.kind === 'shown' ? 'this picture is shown to you' : `not shown to you: ${seen.because}`
}

/** A file that is no picture reaches a model by a call, which brings its label. */
const readingNote = (tool: string | undefined) => (tool === undefined ? '' : `read it with the tool ${tool}`)

function shownOf(files: readonly PictureFile[], seen: ReadonlyMap<PictureFile, SeenPicture>) {
  return files.flatMap((file) => {
    const found = seen.get(file)
    return found?.kind === 'shown' ? [{ file, image: found.image }] : []
  })
}

function withImages(text: string, shown: readonly { readonly image: ModelImage }[]): ModelMessage {
  return { role: 'user', text, ...(shown.length === 0 ? {} : { images: shown.map(({ image }) => image) }) }
}

type SeenPicture =
  | { readonly kind: 'shown'; readonly image: ModelImage }
  | { readonly kind: 'unseen'; readonly because: string }

/** By the object itself: the same file may have gone with two messages. */
async function seenOf(
  pictures: readonly PictureFile[],
  ports: PicturePorts,
): Promise<ReadonlyMap<PictureFile, SeenPicture>> {
  const seen = new Map<PictureFile, SeenPicture>()
  if (pictures.length === 0) return seen
  const areTaken = await ports.areTaken()
  let left: number = promptPictures.bytes
  for (const file of pictures) {
    if (!areTaken) seen.set(file, unseen('the model that answers takes no pictures, so you cannot see it.'))
    // What is too large by itself is said to be so, and takes no room.
    else if (file.bytes > left && file.bytes <= pictureLimits.bytes) break
    else {
      const found = await look(file, ports.read)
      if (found.kind === 'shown') left -= file.bytes
      seen.set(file, found)
    }
  }
  return seen
}

async function look(file: PictureFile, read: PicturePorts['read']): Promise<SeenPicture> {
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

function newestFirst(past: readonly PastMessage[]): readonly PictureFile[] {
  return past.toReversed().flatMap(picturesIn).slice(0, promptPictures.count)
}

function picturesIn(message: PastMessage): readonly PictureFile[] {
  if (message.role === 'tool') return message.pictures
  return message.role === 'user' ? message.attachments.filter(isPicture) : []
}
