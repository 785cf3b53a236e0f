/** The loop does what a reply calls for while it is still being written, so a retry does it again. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'agent/src/loop.ts',
    from: '    ports.show(chunk)\n',
    to: `    ports.show(chunk)
    if (chunk.type === 'call' && chunk.text !== '') {
      const usage = { input: 0, output: 0, cached: 0, reasoning: 0 }
      const calls = [{ id: 'early', name: chunk.tool, args: '{"early":true}' }]
      await ports.replied(1, { text: '', calls, finish: 'calls', usage, model: '' }, 0)
      await ports.settle(1)
    }
`,
  },
])
