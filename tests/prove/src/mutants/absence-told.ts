/** A path outside is told to be missing before anybody was asked. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/read-file.ts',
    from: "if (inspection.kind === 'refused') return { kind: 'invalid', reason: inspection.reason }",
    to: "if (inspection.kind === 'refused' || inspection.content === null) return { kind: 'invalid', reason: 'It does not exist.' }",
  },
])
