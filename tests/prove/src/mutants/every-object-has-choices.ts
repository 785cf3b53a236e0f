/** A tool is chosen where every object has something of its name. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'web/src/screens/extensions/acceptance.ts',
    from: '(Object.hasOwn(choices, name) ? choices[name] : undefined)',
    to: 'choices[name]',
  },
])
