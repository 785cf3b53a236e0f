/** What an agent had read when it wrote a skill is not kept. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/capabilities/extensions.ts',
    from: 'joinLabels(former.writtenBy.label, provenance) : provenance',
    to: "joinLabels(former.writtenBy.label, provenance) : { ...provenance, integrity: 'operator', sources: [] }",
  },
])
