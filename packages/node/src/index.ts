import { fileURLToPath } from 'node:url'

export { type NodeCommand, type NodeLine } from './commands.ts'

/** Where the node program starts when it runs from source. A bundle names its own file. */
export const nodeMainPath = fileURLToPath(new URL('./main.ts', import.meta.url))
