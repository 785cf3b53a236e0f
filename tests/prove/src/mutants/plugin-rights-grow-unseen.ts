/** An update of a plugin may do more than the card says. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/add-plugin.ts',
    from: 'if (before && replaces && rightsChanges(',
    to: 'if (!before && replaces && rightsChanges(',
  },
])
