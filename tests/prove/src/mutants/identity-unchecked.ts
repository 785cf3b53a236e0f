/** Whatever bears the name is moved, be it what was approved or not. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: "if (!isSame) throw new Refusal('changed')",
    to: "if (identity === undefined) throw new Refusal('changed')",
  },
])
