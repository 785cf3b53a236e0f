/** A host whose letters imitate others does not raise the tier. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/display/deceptive-names.ts',
    from: 'displayHost(host).flags.length > 0) return true',
    to: 'forDisplay(host).flags.length > 0) return true',
  },
])
