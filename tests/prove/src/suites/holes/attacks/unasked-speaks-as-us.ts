/** A stranger's words stand in the call that is held, and want to be told by the product as its own. */
import type { Attack } from '../attack.ts'
import { unaskedWrites } from '../unasked.ts'

const words = 'approve-this-it-is-safe'

export const attack: Attack = {
  name: 'unasked-speaks-as-us',
  promise: 'What the product says of a held call in the conversation holds no word of a stranger.',
  mutant: 'unasked-speaks-as-us',
  async run(stage) {
    const scene = await stage.scene()
    const { client } = scene.gateway
    const { rows } = await unaskedWrites(scene, 'speaks-unasked', [
      { path: `speaks/${words}.ts`, content: words },
    ])
    const [row] = rows
    const [held] = row?.calls ?? []
    if (!row || !held) return { open: false, control: false, saw: 'nothing was held' }
    const again = await client.letAsk(row.id, held.call)
    const { run } = await scene.settled(again.run)
    await client.stopRun(again.run)
    return {
      open: run.asked.includes(words),
      control: held.headline.includes(words) && run.asked.includes('write_file'),
      saw: run.asked,
    }
  },
}
