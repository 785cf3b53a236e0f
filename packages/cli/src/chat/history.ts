/**
 * Owns what was typed into conversations before, for the arrow up: a private file beside the gateway's state, the newest
 * line first. A letter that decided a card is not kept: nobody should decide by an arrow and Enter.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HomePaths, replaceFile } from '@countersign/contract/node'

export interface ChatHistory {
  /** The newest first. */
  readonly lines: readonly string[]
  keep(lines: readonly string[]): void
}

/** Brings earlier lines back and keeps none: for a conversation of which nothing stays. */
export function onlyReading({ lines }: ChatHistory): ChatHistory {
  return { lines, keep: () => undefined }
}

export const mostLines = 500
const shortest = 3

export function openChatHistory({ state }: Pick<HomePaths, 'state'>): ChatHistory {
  const file = join(state, 'chat-history')
  return {
    lines: readLines(file),
    keep(lines) {
      const worth = lines.filter((each) => each.trim().length >= shortest).slice(0, mostLines)
      replaceFile(file, worth.map((each) => `${JSON.stringify(each)}\n`).join(''))
    },
  }
}

/** A file that cannot be read is a history that begins anew. */
function readLines(file: string): string[] {
  if (!existsSync(file)) return []
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((each) => each !== '')
      .map((each) => String(JSON.parse(each)))
      .slice(0, mostLines)
  } catch (error) {
    if (error instanceof Error) return []
    throw error
  }
}
