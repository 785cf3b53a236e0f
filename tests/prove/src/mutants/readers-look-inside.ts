/** A reader looks wherever it is led, also inside. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-look.ts',
    from: 'return isUsual && isLook && !isInnerAddress(resource)',
    to: 'return isUsual && isLook',
  },
  {
    file: 'policy/src/classify.ts',
    from: "if (resources.some(isInnerAddress)) byOne('the address is not on the public internet')",
    to: '',
  },
])
