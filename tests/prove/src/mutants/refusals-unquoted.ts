/** The names in a standing refusal are written as they are, and what it loosens is not looked at. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/refusal.ts',
    from: '/^[\\w ./:@+-]$/.test(character) ? character :',
    to: 'true ? character :',
  },
  {
    file: 'gateway/src/policy-settings/policy-admin.ts',
    from: 'seal: null, mayLoosen: false })',
    to: 'seal: null, mayLoosen: true })',
  },
])
