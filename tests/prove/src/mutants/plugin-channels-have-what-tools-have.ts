/** The channel of a plugin is given the folder that its tools keep files in. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-sandbox.ts',
    from: '{ ...start.launch, folders: [], secrets: {}, data: false }',
    to: '{ ...start.launch }',
  },
])
