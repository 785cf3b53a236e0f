/** A hidden file counts only where the table names it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [{ file: 'tools/src/files/host-run.ts', from: "paths: ['.*/**']", to: 'paths: []' }])
