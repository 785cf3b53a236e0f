/** Owns putting a file of this browser into the workspace: by the same door as every other write, so that it can be undone. */
import type { Client } from '@countersign/contract/client'

export type Attached =
  | { readonly kind: 'attached'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: string }

const largest = 500_000

export async function attach(client: Client, file: File): Promise<Attached> {
  if (file.size > largest)
    return {
      kind: 'refused',
      reason: `${file.name} is larger than ${String(largest / 1000)} KB. Put it into the workspace yourself.`,
    }
  const text = await file.text()
  if (text.includes('\u0000') || text.includes('\ufffd'))
    return {
      kind: 'refused',
      reason: `${file.name} is not a text. Put it into the workspace yourself and name it here.`,
    }
  const path = `attachments/${file.name.replaceAll(/[^\w.-]+/g, '-')}`
  await client.callTool('write_file', JSON.stringify({ path, content: text }))
  return { kind: 'attached', path }
}
