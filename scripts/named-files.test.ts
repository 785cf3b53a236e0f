import { describe, expect, it } from 'vitest'
import { missingNames } from './named-files.ts'

const paths = [
  'README.md',
  'docs/errors.md',
  'docs/images/a.png',
  'packages/cli/README.md',
  'packages/cli/src/main.ts',
  'packages/cli/src/chat/state.ts',
  'packages/cli/src/testing/host.ts',
]

const whole = 'The folder `chat/` is the conversation.'
const found = (path: string, text: string) => missingNames([{ path, text }], paths)

describe('files that documents name', () => {
  it('finds them by their path, from the package, and by their end', () => {
    const text = `${whole} \`src/main.ts\`, \`chat/state.ts\`, \`state.ts\` and \`packages/cli/src\``
    expect(found('packages/cli/README.md', text)).toEqual([])
    expect(found('packages/cli/README.md', `${whole} \`src/mian.ts\`, \`rows/\``)).toEqual([
      'packages/cli/README.md names src/mian.ts, which does not exist.',
      'packages/cli/README.md names rows, which does not exist.',
    ])
  })

  it('follows links and pictures, and leaves other sites and code alone', () => {
    const text =
      '[a](docs/errors.md#x) [b](https://example.org/x) <img src="docs/images/a.png">\n```\n`x.ts`\n```\n'
    expect(found('README.md', text)).toEqual([])
    expect(found('README.md', '[a](docs/error.md) <img src="docs/b.png">')).toEqual([
      'README.md links to docs/error.md, which does not exist.',
      'README.md links to docs/b.png, which does not exist.',
    ])
  })

  it('lets an operator have files of their own, and a decision the names of its day', () => {
    expect(found('docs/operators/install.md', '`config.json`, `data/keys`, `logs/`')).toEqual([])
    expect(found('docs/decisions/0001-a.md', '`gone.ts`')).toEqual([])
    expect(found('docs/errors.md', '`gone.ts`')).toEqual([
      'docs/errors.md names gone.ts, which does not exist.',
    ])
  })

  it('wants every folder of a package in its readme, but those of tests', () => {
    expect(found('packages/cli/README.md', 'Nothing.')).toEqual([
      'packages/cli/README.md does not say what is in src/chat.',
    ])
  })
})
