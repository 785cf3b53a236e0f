/** A path outside is told to be missing before anybody was asked. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/read-file.ts',
    from: "if (sight.kind === 'refused') return { kind: 'invalid', reason: sight.reason }",
    to: "if (sight.kind === 'refused' || sight.content === null) return { kind: 'invalid', reason: 'It does not exist.' }",
  },
])
