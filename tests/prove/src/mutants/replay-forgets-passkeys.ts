/** A simulation does not know which tools need a passkey. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/simulate.ts',
    from: 'const floor = passkeyTools.includes(tool.name) ? 4 : own',
    to: 'const floor = own',
  },
])
