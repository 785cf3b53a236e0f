/** The card does not say where a link leads. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sealed/held-changes.ts',
    from: "target: after?.kind === 'link' ? pathText(after.target) : null",
    to: 'target: null',
  },
])
