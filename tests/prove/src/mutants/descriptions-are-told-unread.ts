/** What a skill is for stands in the prompt before anybody reviewed it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/context/told-skills.ts',
    from: 'description: reviewed\n',
    to: "description: name !== ''\n",
  },
])
