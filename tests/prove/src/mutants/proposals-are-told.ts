/** A skill that an agent wrote stands in the prompt before anybody reviewed it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/context/told-skills.ts',
    from: '.skills.filter(({ enabled }) => enabled)',
    to: ".skills.concat(extensions().proposals.map((each) => ({ ...each, reviewed: true, enabled: true, source: '', addedAt: '' }))).filter(({ enabled }) => enabled)",
  },
])
