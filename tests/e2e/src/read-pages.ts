/** Has a gateway read all of its pages at once, so that one who builds them anew meanwhile does not pull them away. */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { distFolder } from './built-pages.ts'

export async function readPages(gatewayUrl: string): Promise<void> {
  const origin = `http://localhost:${new URL(gatewayUrl).port}`
  for (const entry of readdirSync(distFolder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const answer = await fetch(`${origin}/${relative(distFolder, join(entry.parentPath, entry.name))}`)
      await answer.arrayBuffer()
    }
}
