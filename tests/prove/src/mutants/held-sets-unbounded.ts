/** A run may have as many sets of changes wait as it likes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sealed/held-changes.ts',
    from: 'if (own >= heldBounds.mostOfRun)',
    to: 'if (own < 0)',
  },
])
