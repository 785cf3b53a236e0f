/** A file that the operator accepted once is told whatever it says now. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/told-files/told-files.ts',
    from: "if (now !== accepted) return 'changed'",
    to: "if (now === accepted) return 'told'",
  },
])
