/** A host whose letters imitate others does not raise the tier. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/display/deceptive-names.ts',
    from: 'return displayHost(resource.host).flags.length > 0',
    to: 'return forDisplay(resource.host).flags.length > 0',
  },
])
