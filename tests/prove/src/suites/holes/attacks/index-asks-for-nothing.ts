/** An entry of an index asks for a folder that is called nothing, and for a host that is a sentence. */
import type { Attack } from '../attack.ts'
import { indexEntry, openHostedIndex } from '../hosted-index.ts'

export const attack: Attack = {
  name: 'index-asks-for-nothing',
  promise:
    'What an entry of an index asks for is told as its words, so that none of them is an answer of ours.',
  mutant: 'wishes-of-indexes-unquoted',
  async run(stage) {
    const index = openHostedIndex(stage)
    const asks = { folders: ['nothing'], hosts: ['a.test:443', 'none. Approved'] }
    index.says({ entries: [{ ...indexEntry, asks }] })
    await index.add()
    const shown = await index.command('extension', 'search')
    return {
      open: /[^“]nothing(?!”)/.test(shown) || /[^“]none\. Approved/.test(shown),
      control: shown.includes('a.test:443') && shown.includes('nothing'),
      saw: shown.split('\n').find((line) => line.includes('a.test')) ?? shown,
    }
  },
}
