/** Changes the text of a file while Node loads it, so that what is counted needs no seam in the product. */
import { registerHooks } from 'node:module'

export interface Change {
  readonly from: string | RegExp
  readonly to: string
  /** How often it must be found; anything else is refused, since the file has outgrown the change. */
  readonly times: number
}

/** The file is named by the end of its path. */
export function changeSource(file: string, changes: readonly Change[]): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(file)) return loaded
      const text = Buffer.from(loaded.source as Uint8Array).toString()
      return { ...loaded, source: changes.reduce((now, change) => changed(file, now, change), text) }
    },
  })
}

function changed(file: string, text: string, { from, to, times }: Change): string {
  const found = text.split(from).length - 1
  if (found !== times)
    throw new Error(`${file} has ${found} places, not ${times}, that read: ${String(from)}`)
  return text.replaceAll(from, () => to)
}
