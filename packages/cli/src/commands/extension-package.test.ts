import { describe, expect, it } from 'vitest'
import { exactPackage, fetchedPackage } from './extension-package.ts'

const integrity = `sha512-${'a'.repeat(86)}==`
const resolved = 'https://registry.npmjs.org/x/-/x-1.0.0.tgz'
const named = { name: '@one/server', version: '1.2.3' }
const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages })
const own = { 'node_modules/@one/server': { version: '1.2.3', integrity, resolved } }

describe('a package', () => {
  it('is named by one exact version', () => {
    for (const version of ['1.2.3', '2026.8.31', '1.0.0-beta.2', '1.0.0+build.5'])
      expect(exactPackage(`@one/server@${version}`)).toEqual({ name: '@one/server', version })
    for (const wanted of [
      'server',
      'server@1',
      'server@1.2',
      'server@1.x',
      'server@^1.2.3',
      'server@latest',
      'server@1.2.3 other',
      'git+https://one.test/x@1.2.3',
      'server@npm:other@1.2.3',
      'server@1.2.3 || 2.0.0',
      '../server@1.2.3',
    ])
      expect([wanted, exactPackage(wanted)]).toEqual([wanted, undefined])
  })

  it('is what the registry says of it, with what it brings', () => {
    const brought = { 'node_modules/other': { version: '2.0.0', integrity, resolved } }
    expect(fetchedPackage(lock({ ...own, ...brought }), named)).toEqual({ ...named, integrity })
    const bundled = { 'node_modules/@one/server/node_modules/b': { version: '1.0.0', inBundle: true } }
    expect(fetchedPackage(lock({ ...own, ...bundled }), named)).toEqual({ ...named, integrity })
  })

  it.each([
    [
      'of another version',
      { 'node_modules/@one/server': { version: '1.2.4', integrity } },
      'another version',
    ],
    ['that is not there', {}, 'none'],
    ['without a hash', { 'node_modules/@one/server': { version: '1.2.3' } }, 'elsewhere than the registry'],
    [
      'with a weak hash',
      { 'node_modules/@one/server': { version: '1.2.3', integrity: 'sha1-x' } },
      'elsewhere',
    ],
    ['that brings one from elsewhere', { ...own, 'node_modules/x': { version: '1.0.0' } }, 'brings x from'],
    [
      'that brings one from an address, though npm writes a hash of it',
      { ...own, 'node_modules/x': { version: '1.0.0', integrity, resolved: 'https://evil.test/x.tgz' } },
      'brings x from',
    ],
    [
      'that brings one from a repository, though npm writes a hash of it',
      {
        ...own,
        'node_modules/x': {
          version: '1.0.0',
          integrity,
          resolved: 'git+ssh://git@registry.npmjs.org/x.git#a',
        },
      },
      'brings x from',
    ],
    ['that brings a link', { ...own, 'node_modules/y': { link: true, integrity } }, 'brings y from'],
  ])('is refused %s', (_, packages, words) => {
    expect(fetchedPackage(lock(packages), named)).toContain(words)
  })
})
