/** What a skill is for stands in the prompt before anybody reviewed it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/context/told-skills.ts',
    from: 'reviewed ? { text: description, label: labelOf(writtenBy) } : null',
    to: 'reviewed || enabled ? { text: description, label: labelOf(writtenBy) } : null',
  },
  {
    file: 'assistant/src/context/told-skills.ts',
    from: '({ name, description, reviewed, writtenBy })',
    to: '({ name, description, reviewed, writtenBy, enabled })',
  },
])
