/** What was held would not ask any more by the time the operator lets it ask: the file that stood in its way is gone. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { textIn } from '../stranger-writes.ts'
import { unaskedWrites } from '../unasked.ts'

export const attack: Attack = {
  name: 'unasked-runs-when-let',
  promise:
    'What was held and is let ask waits for the approval of exactly these bytes, whatever else would be free.',
  mutant: 'unasked-runs-when-let',
  async run(stage) {
    const scene = await stage.scene()
    const { client } = scene.gateway
    const path = 'let/plan.md'
    const { run, rows } = await unaskedWrites(scene, 'let-unasked', [{ path, content: 'Theirs.' }])
    const [row] = rows
    const [held] = row?.calls ?? []
    if (!row || !held) return { open: false, control: false, saw: 'nothing was held' }
    rmSync(join(scene.installation.paths.workspace, path))
    const again = await client.letAsk(row.id, held.call)
    const detail = await scene.settled(again.run)
    const ranAlone = textIn(scene, path) !== null
    const before = run.detail.calls.find(({ id }) => id === held.call)
    const isSame = detail.calls.length === 1 && detail.calls[0]?.args === before?.args
    if (!ranAlone) await scene.approve({ id: again.run, session: again.session, detail })
    return {
      open: ranAlone || !isSame,
      control: textIn(scene, path) === 'Theirs.',
      saw: `it ${ranAlone ? 'ran' : 'asked'}, with ${isSame ? 'the same' : 'other'} bytes`,
    }
  },
}
