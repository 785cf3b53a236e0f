/** What a server says of itself makes a tool count for less. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/server-presets.ts',
    from: '{ tier: found ?? 3 }',
    to: "{ tier: found ?? (annotations['readOnlyHint'] === true ? 0 : 3) }",
  },
])
