/** A permit that was made for another executor is as good. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/verify.ts',
    from: 'if (executor !== id || key !== fingerprint || trusted.executor.id !== id)',
    to: "if (executor === '' || key === '' || trusted.executor.id !== id || fingerprint === '')",
  },
])
