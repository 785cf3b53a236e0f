/** Names of the files of a skill stand on its card as if we said them. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'tools/src/skills/skill-card.ts', from: '`${barred(path)}\\n ', to: '`  ${path} ' },
])
