/** Owns the question that attacks with strangers' words end in: does a new conversation take a file for the operator's own? */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ReplyCall } from '@countersign/model-servers'
import type { Scene } from './stage.ts'

/** Lays a text into the workspace, as the operator's own programs do. */
export function lay(scene: Scene, path: string, text: string): void {
  const file = join(scene.installation.paths.workspace, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/**
 * What policy says of a write after the calls, in a conversation of its own. Trusted words leave it free. It is no
 * document of which a new one would be free after any words.
 */
export async function writeAfter(scene: Scene, word: string, calls: readonly ReplyCall[]): Promise<string> {
  scene.plan(word, [
    ...calls.map((call) => [call]),
    [{ name: 'write_file', args: { path: `probe/${word}.txt`, content: 'as the text said' } }],
  ])
  const { detail } = await scene.run(word)
  const failed = detail.calls.slice(0, -1).find(({ outcome }) => outcome !== 'ok')
  if (failed) throw new Error(`${failed.tool} ended as ${failed.outcome}: ${failed.result}`)
  return detail.calls.at(-1)?.decision?.kind ?? 'no decision'
}

export const read = (path: string): ReplyCall => ({ name: 'read_file', args: { path } })
