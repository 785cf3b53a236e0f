/** What has the name of an extension by now is not looked at when another kind is put there. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/capabilities/extensions.ts',
    from: 'if (taken !== undefined) return taken',
    to: '',
  },
])
