/** What a process that died had half taken over stays half taken over. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sealed/kept-changes.ts',
    from: '  await recover(options)',
    to: '',
  },
])
