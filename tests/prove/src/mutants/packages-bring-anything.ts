/** What npm wrote a hash of came from the registry. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/commands/extension-package.ts',
    from: "each.integrity?.startsWith('sha512-') && registry && originOf(each) === registry",
    to: "each.integrity?.startsWith('sha512-')",
  },
])
