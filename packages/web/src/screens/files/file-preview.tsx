/** Shows a file without running anything in it: a picture, Markdown, or text as it is. */
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { type FetchedFile, previewOf } from '../../data/file-bytes.ts'
import { SafeBlock, Sheet, Skeleton } from '../../kit/index.ts'
import { words } from '../../words/files.tsx'

const Markdown = lazy(() => import('../../thread/words.tsx'))

export function FilePreview({ path, file }: { path: string; file: FetchedFile }) {
  const preview = previewOf(path, file.bytes)
  const isCut = file.bytes.length < file.first.size
  if (file.first.size === 0) return <p className="text-ink-3">{words.emptyFile}</p>
  if (preview.kind === 'none' || (preview.kind === 'picture' && isCut))
    return <p className="text-ink-3">{words.noPreview}</p>
  if (preview.kind === 'picture') return <Picture path={path} type={preview.type} file={file} />
  return (
    <Sheet className="max-h-[60vh] overflow-auto">
      {preview.kind === 'markdown' ? (
        <Suspense fallback={<Skeleton rows={3} />}>
          <Markdown text={preview.text} />
        </Suspense>
      ) : (
        <SafeBlock text={preview.text} className="font-mono text-small" />
      )}
      {isCut ? <p className="mt-2 text-small text-ink-3">{words.cut}</p> : null}
    </Sheet>
  )
}

function Picture({ path, type, file }: { path: string; type: string; file: FetchedFile }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([file.bytes], { type })), [file, type])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return (
    <img
      src={url}
      alt={words.pictureOf(path)}
      className="max-h-[60vh] max-w-full rounded-2 border border-line"
    />
  )
}
