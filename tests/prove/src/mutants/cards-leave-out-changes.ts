/** The card of an update does not say what differs. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/skill-card.ts',
    from: '`What differs from what is there:\\n${barred(changes)}`',
    to: "'Something differs.'",
  },
])
