/** Where an open folder or file lies is not asked of the kernel. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: `if (place !== root && !place.startsWith(\`\${root}/\`)) throw new Refusal('outside-workspace')`,
    to: `if (!place.startsWith('/')) throw new Refusal('outside-workspace')`,
  },
])
