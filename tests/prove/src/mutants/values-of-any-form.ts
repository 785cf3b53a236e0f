/** What a reader gives for a value is taken for one. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/reader-answer.ts',
    from: 'if (!isOfForm(form, text))',
    to: "if (text === 'x')",
  },
])
