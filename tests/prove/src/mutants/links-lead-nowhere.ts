/** A link is taken for one that stays inside. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/held-files.ts',
    from: 'if (file.target !== null && (file.leadsOut || mayLeadOut(file.path, file.target)))',
    to: 'if (false)',
  },
])
