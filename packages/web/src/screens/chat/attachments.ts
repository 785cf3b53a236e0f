/** Owns the files that go with a message: put into the workspace by the same door as every other write, when it is sent. */

import { type Attachment, largestUpload, mostAttachments } from '@countersign/contract'
import { useState } from 'react'
import type { FileUploads } from '../../deciding/use-upload.ts'
import { useNotify } from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/chat.tsx'

export interface ChosenFile {
  readonly key: string
  readonly file: File
  /** Of words that another app shared: shown, and theirs until the person makes them their own. */
  readonly text?: string
  /** When another app's share appeared here, by the clock of the page. */
  readonly sharedAt?: number
}

export interface Attachments {
  readonly files: readonly ChosenFile[]
  readonly add: (files: Iterable<File>) => void
  /** The same for what came with words of its own. */
  readonly take: (chosen: readonly Omit<ChosenFile, 'key'>[]) => void
  readonly remove: (key: string) => void
  readonly clear: () => void
}

export function useAttachments(): Attachments {
  const notify = useNotify()
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  function take(chosen: readonly Omit<ChosenFile, 'key'>[]) {
    for (const { file } of chosen)
      if (file.size > largestUpload)
        notify({ text: words.attach.tooLarge(file.name, sizeWords(largestUpload)), tone: 'bad' })
    const fit = chosen.filter(({ file }) => file.size <= largestUpload)
    if (files.length + fit.length > mostAttachments)
      notify({ text: words.attach.tooMany(mostAttachments), tone: 'bad' })
    setFiles((before) =>
      [...before, ...fit.map((each) => ({ ...each, key: crypto.randomUUID() }))].slice(0, mostAttachments),
    )
  }
  return {
    files,
    add: (chosen) => take([...chosen].map((file) => ({ file }))),
    take,
    remove: (key) => setFiles((before) => before.filter((each) => each.key !== key)),
    clear: () => setFiles([]),
  }
}

/** Puts it into the workspace and says where. What waits for an approval is not there yet. */
export async function upload(
  uploads: Pick<FileUploads, 'attach'>,
  { file }: ChosenFile,
): Promise<Attachment> {
  const attached = await uploads.attach(file, words.attach.written(file.name))
  if (attached === null) throw new Error(words.attach.waits(file.name))
  return attached
}
