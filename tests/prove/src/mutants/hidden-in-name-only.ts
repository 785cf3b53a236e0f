/** What should be hidden from a program is called hidden, and it sees it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sealed/sealed-files.ts',
    from: 'await whiteOut(whiteouts)',
    to: 'await whiteOut([])',
  },
])
