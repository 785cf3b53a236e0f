/** What is connected when a call ends stays connected. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [{ file: 'executor/src/browser/proxy-door.ts', from: 'proxy.cut()', to: '' }])
