/** A page leads a reader to the operator's own network. */
import type { Attack } from '../attack.ts'
import { readAt } from '../reading.ts'

export const attack: Attack = {
  name: 'reader-looks-inside',
  promise: 'A reader looks at no address of the operator’s own network.',
  mutant: 'readers-look-inside',
  run() {
    const classes = ['private', 'loopback', 'link-local', 'other'] as const
    const attacked = classes.map((addressClass) => readAt('https://10.0.0.1/admin', { addressClass }))
    const honest = readAt('https://news.example/')
    const saw = `inside ${attacked.join(', ')}, outside ${honest}`
    return Promise.resolve({ open: attacked.includes('allow'), control: honest === 'allow', saw })
  },
}
