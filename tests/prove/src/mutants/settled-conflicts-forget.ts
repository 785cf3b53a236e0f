/** A record of which the server's side is kept is worth what comes from the server. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/calendar-sync/conflicts.ts',
    from: 'record?.label ? joinLabels(record.label, syncedLabel(row.account))',
    to: 'record?.label ? joinLabels(syncedLabel(row.account), syncedLabel(row.account))',
  },
])
