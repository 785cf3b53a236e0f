/** A node that was told to forget a device goes on believing every passkey. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'node/src/node-trust.ts',
    from: '...(forgotten.size > 0 ? { passkeys: new Map() } : {})',
    to: '...(forgotten.size > 9 ? { passkeys: new Map() } : {})',
  },
  {
    file: 'node/src/statement-log.ts',
    from: "return by === null ? statement.kind !== 'revoke' : forgotten.includes(by.device)",
    to: "return by === null ? statement.kind === 'node' : forgotten.includes(by.device)",
  },
])
