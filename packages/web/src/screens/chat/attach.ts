/** Owns putting a file of this browser into the workspace: by the same door as every other write, so that it can be undone. */

import type { Client } from '@countersign/contract/client'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/chat.tsx'

export type AttachResult =
  | { readonly kind: 'attached'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: string }

const largest = 500_000

export async function attach(client: Client, file: File): Promise<AttachResult> {
  if (file.size > largest)
    return {
      kind: 'refused',
      reason: words.attach.tooLarge(file.name, sizeWords(largest)),
    }
  const text = await file.text()
  if (text.includes('\u0000') || text.includes('\ufffd'))
    return {
      kind: 'refused',
      reason: words.attach.notText(file.name),
    }
  const path = `attachments/${file.name.replaceAll(/[^\w.-]+/g, '-')}`
  await client.callTool('write_file', JSON.stringify({ path, content: text }))
  return { kind: 'attached', path }
}
