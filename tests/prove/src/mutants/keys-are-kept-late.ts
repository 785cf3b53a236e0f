/** A channel of Matrix keeps what it did with a key after the key was handed out. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'channels/src/matrix/encryption.ts',
    from: '      if (shares.length > 0) await keep()\n',
    to: '',
  },
])
