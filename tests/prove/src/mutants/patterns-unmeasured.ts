/** Patterns of a schema are compiled however large they become. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'tools/src/custom/parameters.ts', from: 'if (size > largestPatterns)', to: 'if (size < 0)' },
])
