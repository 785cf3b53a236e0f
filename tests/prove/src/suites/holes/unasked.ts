/** Owns a conversation in which a stranger's words ask for writes that the operator's own words do not ask for. */
import type { UnaskedView } from '@countersign/contract'
import type { PlayedRun, Scene } from './stage.ts'
import { type AskedWrite, writesAfter } from './stranger-writes.ts'
import { lay } from './strangers-words.ts'

/** Over files that are there, so that each would ask. The message asks for nothing that changes something. */
export async function unaskedWrites(
  scene: Scene,
  word: string,
  turns: readonly (AskedWrite | readonly AskedWrite[])[],
  session: string | null = null,
): Promise<{ readonly run: PlayedRun; readonly rows: readonly UnaskedView[] }> {
  for (const { path } of turns.flat()) lay(scene, path, 'Mine.')
  scene.asks(word)
  const run = await writesAfter(scene, word, turns, { said: 'Sum up what you read.', session })
  return { run, rows: await rowsOf(scene, run.session) }
}

export async function rowsOf(scene: Scene, session: string): Promise<UnaskedView[]> {
  return (await scene.gateway.client.unasked()).filter((row) => row.session === session)
}
