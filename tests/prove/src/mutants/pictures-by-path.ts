/** Whatever lies at the place of an attached picture is shown. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/pictures/show-pictures.ts',
    from: 'bytes === undefined || sha256Hex(bytes) !== file.sha256',
    to: 'bytes === undefined || sha256Hex(bytes) === file.path',
  },
])
