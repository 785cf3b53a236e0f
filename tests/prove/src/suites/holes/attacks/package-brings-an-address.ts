/** A package of the registry names an address or a repository among what it needs; npm fetches it and writes a hash of it. */
import { fetchedPackage } from '../../../../../../packages/cli/src/commands/extension-package.ts'
import type { Attack } from '../attack.ts'

const integrity = `sha512-${'A'.repeat(86)}==`
const registry = 'https://registry.npmjs.org'
const named = { name: 'server', version: '1.0.0' }

export const attack: Attack = {
  name: 'package-brings-an-address',
  promise: 'All files of a package come from the registry that it came from itself.',
  mutant: 'packages-bring-anything',
  async run() {
    const taken = (resolved: string) => {
      const each = { version: '1.0.0', integrity }
      const packages = {
        'node_modules/server': { ...each, resolved: `${registry}/server/-/server-1.0.0.tgz` },
        'node_modules/brought': { ...each, resolved },
      }
      return typeof fetchedPackage(JSON.stringify({ packages }), named) !== 'string'
    }
    const strange = [
      'https://evil.test/brought.tgz',
      'http://registry.npmjs.org/brought.tgz',
      'git+ssh://git@registry.npmjs.org/brought.git#a',
      `${registry}.evil.test/brought.tgz`,
      '',
    ].filter(taken)
    return {
      open: strange.length > 0,
      control: taken(`${registry}/brought/-/brought-1.0.0.tgz`),
      saw: `taken from elsewhere: ${strange.join(', ') || 'nothing'}`,
    }
  },
}
