/** An address may have a user before its host, which a careless reader takes for the host. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/egress/target.ts',
    from: "if (authority.includes('@')) return refused('credentials')",
    to: '',
  },
  {
    file: 'executor/src/egress/target.ts',
    from: "if (parsed.username !== '' || parsed.password !== '') return refused('credentials')",
    to: '',
  },
])
