/** A node says how many statements it was sent, and is sent what comes after that number. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'node/src/node-session.ts',
    from: 'let filed = 0',
    to: "let filed = Number(Reflect.get(globalThis, 'filed') ?? 0)",
  },
  {
    file: 'node/src/node-session.ts',
    from: 'filed += frame.lines.length',
    to: "filed += frame.lines.length; Reflect.set(globalThis, 'filed', filed)",
  },
  { file: 'node/src/node-session.ts', from: 'statements: 0, witnessed', to: 'statements: filed, witnessed' },
])
