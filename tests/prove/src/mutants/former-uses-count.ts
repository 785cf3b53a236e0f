/** Whatever was used under a name counts for what has it now. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'contract/src/extension-parts.ts', from: 'lastAt >= addedAt', to: "lastAt >= '' || addedAt" },
])
