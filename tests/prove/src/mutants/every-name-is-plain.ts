/** A document is plain by its ending, whatever it is called and wherever it lies. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-document.ts',
    from: 'if (segments.slice(0, -1).some(isLoadedFolder)) return false',
    to: '',
  },
  {
    file: 'policy/src/plain-document.ts',
    from: 'if (isInstruction(name.slice(0, -ending.length - 1))) return false',
    to: '',
  },
])
