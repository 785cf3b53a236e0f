/** Puts files of this browser into the workspace: by the same door as every other write, so that each can be undone. */
import { largestUpload } from '@countersign/contract'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { type FileUploads, UploadStopped, useFileUploads } from '../../deciding/use-upload.ts'
import { Button, Progress, useNotify } from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/files.tsx'
import { pathIn } from './paths.ts'

export interface Uploading extends Pick<FileUploads, 'current' | 'stop'> {
  readonly isBusy: boolean
  readonly files: (files: readonly File[]) => Promise<void>
}

export function useUpload(here: string): Uploading {
  const notify = useNotify()
  const { current, stop, put } = useFileUploads()
  const [isBusy, setBusy] = useState(false)
  async function putAll(files: readonly File[]): Promise<void> {
    for (const file of files) {
      try {
        if (file.size > largestUpload) throw new Error(words.tooLarge(file.name, sizeWords(largestUpload)))
        await put(file, pathIn(here, file.name.normalize('NFC')), words.uploaded(file.name))
      } catch (error) {
        // Whoever stops one wants none of those that follow.
        if (error instanceof UploadStopped) return notify({ text: words.uploadStopped(file.name) })
        notify({ text: error instanceof Error ? error.message : String(error), tone: 'bad' })
      }
    }
  }
  return {
    current,
    stop,
    isBusy,
    async files(files) {
      setBusy(true)
      await putAll(files)
      setBusy(false)
    },
  }
}

export function UploadProgress({ upload: { current, stop } }: { upload: Uploading }) {
  if (current === null) return null
  return <Progress label={words.uploadingFile(current.name)} share={current.share} onStop={stop} />
}

export function UploadButton({ upload }: { upload: Uploading }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant="go" icon={Upload} busy={upload.isBusy} onClick={() => input.current?.click()}>
        {upload.isBusy ? words.uploading : words.upload}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        aria-label={words.upload}
        className="hidden"
        onChange={(event) => {
          void upload.files([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}
