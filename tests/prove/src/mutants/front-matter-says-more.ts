/** Front matter may say what the format does not know. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/skills/skill-file.ts',
    from: 'const FrontMatter = z.strictObject(',
    to: 'const FrontMatter = z.object(',
  },
])
