/** A page leads a reader from one address to the next, on and on. */
import type { Attack } from '../attack.ts'
import { readAt } from '../reading.ts'

export const attack: Attack = {
  name: 'reader-looks-without-end',
  promise: 'A reader looks fifty times and no more.',
  mutant: 'reader-looks-uncounted',
  run() {
    const attacked = readAt('https://news.example/51', { looks: 50 })
    const honest = readAt('https://news.example/50', { looks: 49 })
    const saw = `the fifty-first ${attacked}, the fiftieth ${honest}`
    return Promise.resolve({ open: attacked === 'allow', control: honest === 'allow', saw })
  },
}
