/** Whatever sets an automation off, it is done for the operator. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/order.ts',
    from: "requester: due.person ?? { kind: 'schedule', id }",
    to: "requester: { kind: 'schedule', id }",
  },
])
