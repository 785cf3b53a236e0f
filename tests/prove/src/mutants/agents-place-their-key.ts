/** What a coding agent writes into an address may become the value of a secret. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/coding-agents/model-door.ts',
    from: "return pathname.startsWith(folder) ? `${pathname}${search}`.replaceAll('{', '%7B') : undefined",
    to: 'return pathname.startsWith(folder) ? `${pathname}${search}` : undefined',
  },
])
