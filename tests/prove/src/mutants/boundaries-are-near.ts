/** The executor takes a change that acts outside the workspace for one that the gateway may seal. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/verify.ts',
    from: "if (changes && scope === 'boundary') return 3",
    to: "if (changes && scope === 'boundary') return 2",
  },
])
