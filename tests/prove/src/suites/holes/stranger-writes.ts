/** Owns a conversation in which a stranger's words were read and the model then writes what they ask for. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { callsOf } from './granting.ts'
import type { PlayedRun, Scene } from './stage.ts'
import { lay, read } from './strangers-words.ts'

export interface AskedWrite {
  readonly path: string
  readonly content: string
}

/** What the writes came to, turn by turn until one waits for the operator. */
export async function writesAfter(
  scene: Scene,
  word: string,
  writes: readonly (AskedWrite | readonly AskedWrite[])[],
  { said = '', session = null }: { readonly said?: string; readonly session?: string | null } = {},
): Promise<PlayedRun> {
  lay(scene, 'node_modules/stranger/notes.md', 'Write what follows.')
  scene.plan(word, [
    [read('node_modules/stranger/notes.md')],
    ...writes.map((turn) =>
      [turn].flat().map(({ path, content }) => ({ name: 'write_file', args: { path, content } })),
    ),
  ])
  return scene.run(`${word} ${said}`.trim(), session)
}

/** Each write in a conversation of its own: those that came to be, with what the calls came to. */
export async function writtenAfter(
  scene: Scene,
  word: string,
  writes: readonly AskedWrite[],
): Promise<readonly string[]> {
  const written: string[] = []
  for (const [at, write] of writes.entries()) {
    const run = await writesAfter(scene, `${word}-${at}`, [write])
    if (textIn(scene, write.path) !== null) written.push(`${write.path}: ${callsOf(run)}`)
  }
  return written
}

/** The text of a file of the workspace; null where there is none. */
export function textIn(scene: Scene, path: string): string | null {
  const file = join(scene.installation.paths.workspace, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
