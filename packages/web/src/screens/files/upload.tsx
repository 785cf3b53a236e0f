/** Puts files of this browser into the workspace: by the same door as every other write, so that each can be undone. */
import { largestUpload } from '@countersign/contract'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { base64Of } from '../../data/upload.ts'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import { Button, useNotify } from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/files.tsx'
import { pathIn } from './paths.ts'

export interface Uploading {
  readonly isBusy: boolean
  readonly files: (files: readonly File[]) => Promise<void>
}

export function useUpload(here: string): Uploading {
  const notify = useNotify()
  const direct = useDirectCalls('files')
  const [isBusy, setBusy] = useState(false)
  const put = async (file: File) => {
    if (file.size > largestUpload) throw new Error(words.tooLarge(file.name, sizeWords(largestUpload)))
    const bytes = new Uint8Array(await file.arrayBuffer())
    const path = pathIn(here, file.name.normalize('NFC'))
    await direct.call('write_binary_file', { path, base64: base64Of(bytes) }, words.uploaded(file.name))
  }
  return {
    isBusy,
    async files(files) {
      setBusy(true)
      for (const file of files) {
        await put(file).catch((error: unknown) =>
          notify({ text: error instanceof Error ? error.message : String(error), tone: 'bad' }),
        )
      }
      setBusy(false)
    },
  }
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
