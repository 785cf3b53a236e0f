/** Knows where the parts of the product are that an author imports: beside the bundled program, or in this folder. */
import { existsSync } from 'node:fs'

/** What an author writes in an import, and the file behind it when published and in the repository. */
const entries = {
  'countersign/tools': ['./tools.js', './author.ts'],
  'countersign/bench': ['./bench.js', './bench.ts'],
  'countersign/channels': ['./channels.js', './channel-author.ts'],
} as const

export type EntryName = keyof typeof entries

export function entryUrls(from: string = import.meta.url): Readonly<Record<EntryName, string>> {
  const find = ([published, source]: readonly [string, string]) => {
    const bundled = new URL(published, from)
    return existsSync(bundled) ? bundled.href : new URL(source, from).href
  }
  return {
    'countersign/tools': find(entries['countersign/tools']),
    'countersign/bench': find(entries['countersign/bench']),
    'countersign/channels': find(entries['countersign/channels']),
  }
}
