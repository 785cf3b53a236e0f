/** Two nodes may be called alike as long as one sign differs, whoever sees it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/display/plain-name.ts',
    from: 'return spoken(one) === spoken(other)',
    to: "return spoken('') === '' && one === other",
  },
  {
    file: 'contract/src/node/believed.ts',
    from: "if (!isPlainName(name)) return refused('its name could be taken for another one')",
    to: "if (!isPlainName('laptop')) return refused('its name could be taken for another one')",
  },
])
