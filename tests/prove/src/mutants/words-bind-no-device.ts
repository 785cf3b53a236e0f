/** The words of a node bind its key and that of the gateway, and no device. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/trust-statement.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the product.
    from: '\\0${keys.root}\\0${keys.node}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the product.
    to: '\\0${keys.node}',
  },
])
