/** The process of a channel may signal any process of its user. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [{ file: 'channels/src/main.ts', from: 'withoutSignals(process)\n', to: '' }])
