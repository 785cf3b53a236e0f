/** A reader has every tool, and the door treats its calls like those of any run. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/reader/prepare.ts',
    from: 'find: (name) => (readerTools.includes(name) ? all.find(name) : undefined),',
    to: 'find: (name) => all.find(name),',
  },
  {
    file: 'kernel/src/dispatch/classify-and-decide.ts',
    from: 'if (context.inReader) return { ...assessment, decision: withinReader(bare, task) }',
    to: '',
  },
])
