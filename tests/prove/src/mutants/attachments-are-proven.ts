/** Of a file that came with an e-mail nobody is told whether its sender is proven. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/mail/read-email.ts',
    from: 'return { ...kept, ...labelOfSenders([file.sender]) }',
    to: 'return kept',
  },
])
