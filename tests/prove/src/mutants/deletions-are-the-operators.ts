/** Who led to a deletion does not matter to what it is worth on the server. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/calendar-sync/bring.ts',
    from: 'const all = [...(row.label ? [row.label] : []), ...led]',
    to: 'const all = [...(row.label ? [row.label] : []), ...led.slice(led.length)]',
  },
])
