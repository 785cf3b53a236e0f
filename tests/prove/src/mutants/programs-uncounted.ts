/** What a program asks for is made, however much it is. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/call-limits.ts',
    from: 'const made = asked.filter(counts).length',
    to: 'const made = Math.min(0, asked.length)',
  },
])
