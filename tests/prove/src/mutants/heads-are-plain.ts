/** A file called HEAD is a file like any other. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [{ file: 'tools/src/files/host-run.ts', from: "'HEAD',", to: "'NEVER'," }])
