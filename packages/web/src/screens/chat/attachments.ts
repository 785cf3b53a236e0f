/** Owns the files that go with a message: put into the workspace by the same door as every other write, when it is sent. */

import type { Client } from '@countersign/contract/client'
import { useState } from 'react'
import { useNotify } from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/chat.tsx'

/** With what a file becomes on its way, less than a request may have. */
export const largestFile = 700_000

export interface Attachment {
  readonly key: string
  readonly file: File
}

export interface Attachments {
  readonly files: readonly Attachment[]
  readonly add: (files: Iterable<File>) => void
  readonly remove: (key: string) => void
  readonly clear: () => void
}

export function useAttachments(): Attachments {
  const notify = useNotify()
  const [files, setFiles] = useState<readonly Attachment[]>([])
  return {
    files,
    add(chosen) {
      const all = [...chosen]
      for (const file of all)
        if (file.size > largestFile)
          notify({ text: words.attach.tooLarge(file.name, sizeWords(largestFile)), tone: 'bad' })
      const fit = all.filter(({ size }) => size <= largestFile)
      setFiles((before) => [...before, ...fit.map((file) => ({ key: crypto.randomUUID(), file }))])
    },
    remove: (key) => setFiles((before) => before.filter((each) => each.key !== key)),
    clear: () => setFiles([]),
  }
}

/** Writes it under a name that nothing else has, and says where. */
export async function upload(client: Client, { key, file }: Attachment): Promise<string> {
  const path = attachmentPath(file.name, key)
  const content = base64Of(new Uint8Array(await file.arrayBuffer()))
  await client.callTool('restore_file', JSON.stringify({ path, expected: 'absent', content }))
  return path
}

export function attachmentPath(name: string, key: string): string {
  const [, stem = '', ending = ''] = /^(.*?)(\.\w{1,10})?$/s.exec(name) ?? []
  const plain = stem.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return `attachments/${(plain === '' ? 'file' : plain).slice(0, 60)}-${key.slice(0, 6)}${ending}`
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}
