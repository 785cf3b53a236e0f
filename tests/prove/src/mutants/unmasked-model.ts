/** What a model says is kept and shown as it said it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/secrets/masked-model.ts',
    from: "case 'failed':\n            yield redactor.json<ModelChunk>(chunk)",
    to: "case 'failed':\n            yield chunk",
  },
])
