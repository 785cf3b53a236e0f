/** Makes random ids. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { answer, computing } from './computing.ts'

export const generateUuid = computing({
  name: 'generate_uuid',
  version: '1',
  description: 'Generate a random UUID (version 4), or several.',
  group: 'core',
  tags: ['id', 'identifier', 'guid', 'unique', 'random'],
  input: z.strictObject({ count: z.int().min(1).max(100).default(1) }),
  describe: ({ count }) => (count === 1 ? 'Make a UUID' : `Make ${count} UUIDs`),
  compute: ({ count }) => answer(Array.from({ length: count }, () => randomUUID()).join('\n')),
})
