/** Programs in the sandbox are given the environment of the executor. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/capabilities/shell.ts',
    from: 'env: sandboxEnvironment,',
    to: 'env: { ...process.env, ...sandboxEnvironment },',
  },
])
