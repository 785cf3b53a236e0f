/** Owns the files that go with a message: put into the workspace by the same door as every other write, when it is sent. */

import {
  type Attachment,
  attachmentOf,
  attachmentPath,
  largestUpload,
  mostAttachments,
} from '@countersign/contract'
import { useState } from 'react'
import type { FileUploads } from '../../deciding/use-upload.ts'
import { useNotify } from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/chat.tsx'

export interface ChosenFile {
  readonly key: string
  readonly file: File
}

export interface Attachments {
  readonly files: readonly ChosenFile[]
  readonly add: (files: Iterable<File>) => void
  readonly remove: (key: string) => void
  readonly clear: () => void
}

export function useAttachments(): Attachments {
  const notify = useNotify()
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  return {
    files,
    add(chosen) {
      const all = [...chosen]
      for (const file of all)
        if (file.size > largestUpload)
          notify({ text: words.attach.tooLarge(file.name, sizeWords(largestUpload)), tone: 'bad' })
      const fit = all.filter(({ size }) => size <= largestUpload)
      if (files.length + fit.length > mostAttachments)
        notify({ text: words.attach.tooMany(mostAttachments), tone: 'bad' })
      setFiles((before) =>
        [...before, ...fit.map((file) => ({ key: crypto.randomUUID(), file }))].slice(0, mostAttachments),
      )
    },
    remove: (key) => setFiles((before) => before.filter((each) => each.key !== key)),
    clear: () => setFiles([]),
  }
}

/** Writes it under a name that nothing else has, and says where. What waits for an approval is not there yet. */
export async function upload(
  uploads: Pick<FileUploads, 'put'>,
  { key, file }: ChosenFile,
): Promise<Attachment> {
  const path = attachmentPath(file.name, key)
  const { outcome, sha256 } = await uploads.put(file, path, words.attach.written(file.name))
  if (outcome.kind === 'waits') throw new Error(words.attach.waits(file.name))
  return attachmentOf({ path, name: file.name, sha256, bytes: file.size })
}
