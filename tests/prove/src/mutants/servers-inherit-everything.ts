/** A server is given the environment of the executor. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-sandbox.ts',
    from: 'env: { ...sandboxEnvironment,',
    to: 'env: { ...process.env, ...sandboxEnvironment,',
  },
])
