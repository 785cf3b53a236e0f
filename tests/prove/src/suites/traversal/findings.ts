/** Owns what each part of the suite hands back, and the look for secrets that were carried into the workspace. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Grounds } from './grounds.ts'

export interface TraversalPart {
  readonly n: number
  readonly wrong: string[]
  readonly details: Record<string, unknown>
}

/** Regular files of the workspace that hold a secret of a sentinel, save what is covered. */
export function carriedIn(grounds: Grounds): string[] {
  const covered = join(grounds.workspace, grounds.covered)
  return [...filesIn(grounds.workspace, covered)]
    .filter((path) => grounds.shows(textOf(path)))
    .map((path) => relative(grounds.workspace, path))
}

function* filesIn(folder: string, covered: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && path !== covered) yield* filesIn(path, covered)
    if (entry.isFile()) yield path
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
