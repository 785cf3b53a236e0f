import { describe, expect, it } from 'vitest'
import { plainTextOf } from './plain-text.ts'

const shown = (text: string, format: 'plain' | 'markdown' = 'markdown') => plainTextOf({ text, format })

describe('a message where there is no markup', () => {
  it('is read by signs that people know', () => {
    const text = [
      '# Title',
      '**bold** and [words](https://example.com/page)',
      '- one\n  - two\n1. first',
      '> said\n> so',
      '```ts\nconst a = "*x*"\n```',
    ].join('\n\n')
    expect(shown(text)).toBe(
      [
        'Title',
        'bold and words (https://example.com/page)',
        '- one\n  - two\n1. first',
        '> said\n> so',
        'const a = "*x*"',
      ].join('\n\n'),
    )
  })

  it('stands as it is where it was plain', () => {
    expect(shown('**not bold** [x](y)\n\n\t- z ', 'plain')).toBe('**not bold** [x](y)\n\n\t- z ')
  })

  it.each(['plain', 'markdown'] as const)('controls nothing in %s', (format) => {
    const text = shown('a\u0000b\u001b[31mc\r\nd\re\u2028f\u0085g\ud800h', format)
    expect(text).toBe('ab[31mc\nd\ne\nf\ng\ufffdh')
  })
})
