/** What a server kept stays when it is removed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/extensions.ts',
    from: 'for (const { name } of gone) await removeFolder(dataFolder(folder, name))',
    to: 'void gone',
  },
])
