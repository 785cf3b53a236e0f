/** What a program removes counts as what it changes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/program-changes.ts',
    from: "const removes = call.effects.some(({ verb }) => verb === 'delete')",
    to: 'const removes = false',
  },
])
