/** A new mark on a file makes forget which marks were covered there. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-labels.ts',
    from: 'if (kept.length === 0) return',
    to: "if (kept.length === 0) return\n  await unit.db.deleteFrom('file_labels').where('path', 'in', kept).where('cleared_at', 'is not', null).execute()",
  },
])
