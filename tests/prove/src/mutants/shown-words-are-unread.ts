/** The words on the card of a skill are taken as the caller made them. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/skill-card.ts',
    from: 'if (main.sha256 !== sha256Hex(text))',
    to: 'if (main.sha256 === sha256Hex(`${text}.`))',
  },
])
