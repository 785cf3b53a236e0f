/** A stranger wants a document of the operator written over, as if it were a new one. */

import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { textIn, writesAfter } from '../stranger-writes.ts'
import { lay } from '../strangers-words.ts'

export const attack: Attack = {
  name: 'new-file-is-an-old-one',
  promise: 'Only a document that was not there, or that its own task made, is new.',
  mutant: 'every-file-is-new',
  async run(stage) {
    const scene = await stage.scene()
    lay(scene, 'kept/contract.md', 'Signed.')
    const over = await writesAfter(scene, 'kept-over', [{ path: 'kept/contract.md', content: 'Cancelled.' }])
    const twice = [
      { path: 'kept/draft.md', content: 'One.' },
      { path: 'kept/draft.md', content: 'Two.' },
    ]
    await writesAfter(scene, 'kept-own', twice)
    return {
      open: textIn(scene, 'kept/contract.md') !== 'Signed.',
      control: textIn(scene, 'kept/draft.md') === 'Two.',
      saw: callsOf(over),
    }
  },
}
