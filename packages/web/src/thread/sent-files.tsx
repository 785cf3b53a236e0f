/** Shows the files that went with a message: a picture small where the bytes are still those that were sent, else name and size. */
import { type Attachment, isPicture } from '@countersign/contract'
import { Paperclip } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { hex } from '../data/digest.ts'
import { fetchFile, previewOf } from '../data/file-bytes.ts'
import { useGateway } from '../environment/queries.ts'
import { routeHref } from '../environment/route.ts'
import { Link, Safe } from '../kit/index.ts'
import { sizeWords } from '../language/format.ts'
import { words } from '../words/chat.tsx'

/** In bytes. A larger picture is opened by its name. */
const largestThumbnail = 6_000_000

export function SentFiles({ attachments }: { attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null
  return (
    <ul className="mt-1.5 flex flex-wrap gap-2" aria-label={words.composer.attachedFiles}>
      {attachments.map((each) => (
        <li key={each.path} className="max-w-full min-w-0">
          {isPicture(each) && each.bytes <= largestThumbnail ? <Thumbnail attachment={each} /> : null}
          <FileLine attachment={each} />
        </li>
      ))}
    </ul>
  )
}

function FileLine({ attachment }: { attachment: Attachment }) {
  const { path, name, bytes } = attachment
  const folders = path.split('/')
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-small text-ink-2">
      <Paperclip size={14} aria-hidden className="shrink-0" />
      <Link
        to={routeHref('/files', folders.slice(0, -1), { file: folders.at(-1) ?? '' })}
        className="truncate"
      >
        <Safe text={name} />
      </Link>
      <span className="shrink-0 text-ink-3">{sizeWords(bytes)}</span>
    </span>
  )
}

/** Nothing while it is fetched, and nothing where it is no picture or not the one that was sent. */
function Thumbnail({ attachment }: { attachment: Attachment }) {
  const { path, name, sha256 } = attachment
  const picture = useGateway(
    ['files', 'sent', path, sha256],
    async (client) => {
      const { bytes } = await fetchFile(client, path, { most: largestThumbnail, changed: '' })
      const digest = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
      const preview = previewOf(path, bytes)
      return digest === sha256 && preview.kind === 'picture' ? { bytes, type: preview.type } : null
    },
    { freshMs: Number.POSITIVE_INFINITY },
  )
  const found = picture.data ?? null
  const url = useMemo(
    () => (found === null ? null : URL.createObjectURL(new Blob([found.bytes], { type: found.type }))),
    [found],
  )
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url])
  if (url === null) return null
  return (
    <img
      src={url}
      alt={words.thread.pictureOf(name)}
      className="mb-1 max-h-48 max-w-full rounded-1 border border-line"
    />
  )
}
