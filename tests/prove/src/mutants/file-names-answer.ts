/** What a file is called answers a question in the operator's place. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/lanes/admission.ts',
    from: "return text === '' ? `They attached",
    to: "return text === '' ? attachments.map(({ name }) => name).join() || `They attached",
  },
])
