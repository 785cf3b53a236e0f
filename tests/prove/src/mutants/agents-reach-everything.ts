/** Every path of the host of the model service is passed on. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/coding-agents/model-door.ts',
    from: 'return pathname.startsWith(folder) ? ',
    to: "return folder !== '' ? ",
  },
])
