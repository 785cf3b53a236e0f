/** The name of a file is taken from the list of a zip, whatever stands before the file. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/skills/zip.ts',
    from: 'nameLength).equals(written))',
    to: 'nameLength).equals(written) && written.length === 0)',
  },
])
