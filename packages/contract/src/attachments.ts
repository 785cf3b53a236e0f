/** Owns how a file goes with a message, the same on every surface: how large it may be, under which name it is put, and how it is told. */
import { z } from 'zod'
import { UploadName, WorkspaceFilePath } from './api-files.ts'

/** In bytes. A file that is larger than one request carries comes in parts. */
export const largestUpload = 25_000_000

/** In bytes. A request carries a mebibyte at most, and base64 makes four bytes of three. */
export const largestUploadPart = 700_000

export const mostAttachments = 20

/** A file that was put into the workspace for a message. What it holds was not said by whoever sent it. */
export const Attachment = z.strictObject({
  /** What lies elsewhere was not sent with a message: it is read by a call, which is judged. */
  path: WorkspaceFilePath.regex(/^attachments\/[\w.-]{1,100}$/, 'is not among the attachments'),
  /** As whoever sent it calls it. */
  name: z.string().min(1).max(255),
  /** Of the bytes that were sent; what is at the path may be something else by now. */
  sha256: UploadName,
  bytes: z.int().min(0).max(largestUpload),
  /** By its name, and not believed. */
  mediaType: z
    .string()
    .max(100)
    .regex(/^[\w.+-]+\/[\w.+-]+$/),
})
export type Attachment = z.infer<typeof Attachment>

/** A picture in the workspace as it was when somebody spoke of it. */
export const PictureFile = z.strictObject({
  path: WorkspaceFilePath.max(300).refine(
    (path) => !/\p{C}/u.test(path),
    'holds a character that is not shown',
  ),
  ...Attachment.pick({ sha256: true, bytes: true }).shape,
})
export type PictureFile = z.infer<typeof PictureFile>

/** What a program keeps with a session or a message, by name. A model never sees it. */
export const metadataLimits = { entries: 32, length: 500 } as const
export const MetadataName = z
  .string()
  .regex(/^[A-Za-z][\w.-]{0,63}$/, 'a name of letters, digits, _, . and -')
const fewEntries = (entries: object) => Object.keys(entries).length <= metadataLimits.entries
export const Metadata = z
  .record(MetadataName, z.string().max(metadataLimits.length))
  .refine(fewEntries, 'holds too many entries')
/** Null takes an entry away. */
export const MetadataChange = z
  .record(MetadataName, z.string().max(metadataLimits.length).nullable())
  .refine(fewEntries, 'holds too many entries')

/** What a message holds: words, files, or both. */
export const MessageContent = {
  text: z.string().max(100_000),
  attachments: z.array(Attachment).max(mostAttachments).optional(),
  metadata: Metadata.optional(),
}

export const emptyMessage = 'A message needs words or a file.'

export function hasContent(message: {
  readonly text: string
  readonly attachments?: readonly Attachment[] | undefined
}): boolean {
  return message.text !== '' || (message.attachments?.length ?? 0) > 0
}

/**
 * A name in the workspace that nothing else has; `key` is the hash of the content, or random. A model is told the path with
 * the operator's words, so no word of a name that a stranger may have given is in it.
 */
export function attachmentPath(name: string, key: string): string {
  const ending = endingOf(name)
  return `attachments/file-${key.replaceAll('-', '').slice(0, 32)}${byEnding.has(ending) ? `.${ending}` : ''}`
}

/** What is sent with a message for a file that has been put at the path. */
export function attachmentOf(file: {
  readonly path: string
  readonly name: string
  readonly sha256: string
  readonly bytes: number
}): Attachment {
  const name = file.name.toWellFormed().slice(-255).toWellFormed()
  return { ...file, name: name === '' ? 'file' : name, mediaType: mediaTypeOf(file.name) }
}

/** By the ending; what nobody knows is a row of bytes. */
export function mediaTypeOf(name: string): string {
  return byEnding.get(endingOf(name)) ?? 'application/octet-stream'
}

function endingOf(name: string): string {
  return /\.(\w{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

const byEnding: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['svg', 'image/svg+xml'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['json', 'application/json'],
  ['zip', 'application/zip'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
  ['mp3', 'audio/mpeg'],
  ['m4a', 'audio/mp4'],
  ['ogg', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['webm', 'video/webm'],
  ['mp4', 'video/mp4'],
])

/** Kinds of pictures that models take. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export type PictureType = (typeof pictureTypes)[number]

export function isPicture({ mediaType }: Pick<Attachment, 'mediaType'>): boolean {
  return pictureTypes.some((type) => type === mediaType)
}

/** The tool that makes text of such a file; nothing where none does, and of pictures, which are shown. */
export function readerOf({ mediaType }: Pick<Attachment, 'mediaType'>): string | undefined {
  if (mediaType === 'application/pdf') return 'read_pdf'
  if (/^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\./.test(mediaType))
    return 'read_document'
  if (mediaType.startsWith('audio/')) return 'speech_to_text'
  return mediaType.startsWith('text/') || mediaType === 'application/json' ? 'read_file' : undefined
}

/** The words with a line for each file, where files cannot be shown in another way. Names are left out: strangers give them. */
export function withAttachmentLines(
  text: string,
  attachments: readonly Attachment[],
  noteOf: (attachment: Attachment) => string = () => '',
): string {
  if (attachments.length === 0) return text
  const lines = attachments.map((each) => {
    const note = noteOf(each)
    return `- ${each.path} (${each.mediaType}, ${each.bytes} bytes)${note === '' ? '' : `: ${note}`}`
  })
  return `${text === '' ? '' : `${text}\n\n`}Attached files:\n${lines.join('\n')}`
}
