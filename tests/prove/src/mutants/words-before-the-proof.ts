/** A client sends its words first and looks at the proof of the answer afterwards. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/client/http.ts',
    from: "if (text !== undefined && text !== '{}') await requireGateway(timeoutMs)",
    to: '',
  },
])
