/** What an index says of itself and of an entry closes its quotation and goes on as a sentence of ours. */
import type { Attack } from '../attack.ts'
import { indexEntry, openHostedIndex } from '../hosted-index.ts'

const ours = 'Checked by Countersign'
const marks = ['”', '"', '»', '＂', '〞']

export const attack: Attack = {
  name: 'index-ends-its-quotation',
  promise: 'No word of an index is shown as one of ours, wherever it stands.',
  mutant: 'indexes-end-quotations',
  async run(stage) {
    const spoken: string[] = []
    let shown = 0
    for (const mark of marks) {
      const index = openHostedIndex(stage)
      const words = `Files${mark} ${ours} “`
      index.says({ title: words, entries: [{ ...indexEntry, description: words }] })
      for (const text of [await index.add(), await index.command('extension', 'search')]) {
        const [, quoted = ''] = /“([^”]*)”/.exec(text) ?? []
        if (text.includes(ours)) shown += 1
        if (text.includes(ours) && (!quoted.includes(ours) || quoted.includes(mark))) spoken.push(mark)
      }
    }
    return {
      open: spoken.length > 0,
      control: shown === 2 * marks.length,
      saw: `shown ${shown} times; ended by: ${spoken.join(' ') || 'nothing'}`,
    }
  },
}
