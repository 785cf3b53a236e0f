/** A stranger wants the workspace filled with documents in one turn. */
import type { Attack } from '../attack.ts'
import { textIn, writesAfter } from '../stranger-writes.ts'

export const attack: Attack = {
  name: 'new-files-without-end',
  promise: 'A task makes twenty documents unasked, and then asks.',
  mutant: 'new-files-uncounted',
  async run(stage) {
    const scene = await stage.scene()
    const write = (at: number) => ({ path: `many/${at}.md`, content: String(at) })
    const run = await writesAfter(scene, 'many', [Array.from({ length: 22 }, (_, at) => write(at))])
    const made = Array.from({ length: 22 }, (_, at) => textIn(scene, `many/${at}.md`)).filter(
      (text) => text !== null,
    )
    return {
      open: made.length > 20,
      control: made.length >= 20,
      saw: `${made.length} documents; the run is ${run.detail.run.state}`,
    }
  },
}
