/** A document is plain by its ending, whatever it is called and wherever it lies. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-document.ts',
    from: 'return !folders.some(isLoadedFolder) && !isInstruction(stem)',
    to: 'return true',
  },
])
