import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Destination, StoreSecret } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { seal } from './contents.ts'
import { fileIdentity } from './identity-file.ts'
import { openVault, type Vault } from './vault.ts'
import { openVaultAt, vaultPaths } from './vault-paths.ts'

let folder: string
let file: string
let now: Date
let vault: Vault
const identity = () => fileIdentity(join(folder, 'keys', 'vault.key'))
const open = () => openVault({ file, identity: identity(), clock: () => now })

const github: Destination = { scheme: 'https', host: 'api.github.com', port: 443 }
const secret = (value: string, changes: Partial<StoreSecret> = {}): StoreSecret => ({
  value,
  description: 'a token',
  destinations: [github],
  tools: [],
  ...changes,
})

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-vault-'))
  file = join(folder, 'state', 'secrets.age')
  now = new Date('2030-01-01T00:00:00.000Z')
  vault = await open()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const everyByte = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

describe('a secret', () => {
  test('is given out for the exact place it is pinned to, and for no neighbour', async () => {
    await vault.put('github', secret('ghp_0123456789'))
    const ask = (changes: Partial<Destination>, tool = 'http_request') =>
      vault.value('github', { ...github, ...changes }, tool)
    expect(await ask({})).toEqual({ kind: 'value', value: 'ghp_0123456789' })
    const neighbours: Partial<Destination>[] = [
      { scheme: 'http' },
      { port: 8443 },
      { host: 'github.com' },
      { host: 'evil.api.github.com' },
      { host: 'api.github.com.' },
      { host: 'API.github.com' },
      { host: 'api.github.com.evil.example' },
    ]
    for (const neighbour of neighbours) {
      const reply = await ask(neighbour)
      expect(reply.kind).toBe('refused')
      expect(JSON.stringify(reply)).not.toContain('ghp_')
    }
    expect(await vault.value('gitlab', github, 'http_request')).toMatchObject({ kind: 'refused' })
  })

  test('is given to the tools that it names, and to every tool when it names none', async () => {
    await vault.put('any', secret('value-for-any'))
    await vault.put('one', secret('value-for-one', { tools: ['http_request'] }))
    const source = await vault.openFor('browse_web')
    expect(source.value('any', github)).toBe('value-for-any')
    expect(source.value('one', github)).toBeUndefined()
    expect((await vault.openFor('http_request')).value('one', github)).toBe('value-for-one')
  })

  test('is listed without its value, with its last use', async () => {
    await vault.put('github', secret('ghp_0123456789'))
    expect(await vault.check('github', github, 'http_request')).toMatchObject({ kind: 'value' })
    expect(await vault.check('github', { ...github, port: 80 }, 'http_request')).toMatchObject({
      kind: 'refused',
    })
    expect((await vault.list())[0]?.lastUsedAt).toBeNull()
    now = new Date('2030-01-02T00:00:00.000Z')
    await vault.value('github', github, 'http_request')
    const listed = await vault.list()
    expect(listed).toEqual([
      {
        name: 'github',
        description: 'a token',
        destinations: [github],
        tools: [],
        createdAt: '2030-01-01T00:00:00.000Z',
        rotatedAt: null,
        lastUsedAt: '2030-01-02T00:00:00.000Z',
      },
    ])
    expect(JSON.stringify(listed)).not.toContain('ghp_')
  })

  test('that is rotated keeps its pins; the old value is masked for thirty days and used no more', async () => {
    await vault.put('github', secret('first-value'))
    now = new Date('2030-01-10T00:00:00.000Z')
    expect(await vault.rotate('github', 'second-value')).toMatchObject({
      rotatedAt: now.toISOString(),
      destinations: [github],
    })
    expect(await vault.value('github', github, 'x')).toEqual({ kind: 'value', value: 'second-value' })
    const values = async () => (await vault.all()).map(({ value }) => value).toSorted()
    expect(await values()).toEqual(['first-value', 'second-value'])
    now = new Date('2030-02-10T00:00:00.000Z')
    await vault.put('other', secret('other-value'))
    expect(await values()).toEqual(['other-value', 'second-value'])
    await expect(vault.rotate('gitlab', 'second-value')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('that is exchanged is exchanged for exactly the value that was shown, by one of two', async () => {
    await vault.put('github', secret('first-value', { tools: ['http_request'] }))
    const both = await Promise.all([
      vault.exchange('github', 'first-value', 'second-value'),
      (await open()).exchange('github', 'first-value', 'other-value'),
    ])
    expect(both.filter(Boolean)).toHaveLength(1)
    expect(await vault.exchange('gitlab', 'first-value', 'second-value')).toBe(false)
    const current = both[0] ? 'second-value' : 'other-value'
    const asked = vault.value('github', github, 'http_request')
    expect(await asked).toEqual({ kind: 'value', value: current })
    expect(await vault.value('github', github, 'json_api')).toMatchObject({ kind: 'refused' })
    expect(await vault.exchange('github', current, null)).toBe(true)
    expect(await vault.list()).toEqual([])
    // Still masked: whoever has it elsewhere may still use it.
    expect((await vault.all()).map(({ value }) => value)).toEqual(['first-value', current])
  })

  test('that is exchanged often is masked in its last values only', async () => {
    await vault.put('github', secret('value-0000'))
    for (let turn = 0; turn < 20; turn += 1)
      await vault.exchange(
        'github',
        `value-${String(turn).padStart(4, '0')}`,
        `value-${String(turn + 1).padStart(4, '0')}`,
      )
    const values = (await vault.all()).map(({ value }) => value)
    expect(values).toHaveLength(9)
    expect(values.at(-1)).toBe('value-0020')
  })

  test('that opens an account is asked for by the command that sets it', async () => {
    const reason = async (name: string) => {
      const reply = await vault.value(name, github, 'x')
      return reply.kind === 'refused' ? reply.reason : ''
    }
    expect(await reason('mail-oauth.work')).toContain('`countersign mail sign-in work`')
    expect(await reason('mail.work')).toContain('`countersign mail add work`')
    expect(await reason('mail-client.work')).toContain('`countersign mail add work`')
    expect(await reason('github')).toContain('`countersign secret set github`')
  })

  test('that is removed leaves no value behind, its retired ones included', async () => {
    await vault.put('github', secret('first-value'))
    await vault.rotate('github', 'second-value')
    await vault.remove('github')
    expect([await vault.list(), await vault.all()]).toEqual([[], []])
    await expect(vault.remove('github')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('that is put again is replaced whole, and says so', async () => {
    expect(await vault.put('github', secret('first-value'))).toMatchObject({ replaced: false })
    const elsewhere = { ...github, host: 'git.example' }
    expect(await vault.put('github', secret('second-value', { destinations: [elsewhere] }))).toMatchObject({
      replaced: true,
    })
    expect(await vault.value('github', github, 'x')).toMatchObject({ kind: 'refused' })
  })

  test.each([
    ['a name of another kind', 'GitHub', secret('ghp_0123456789')],
    ['a short value', 'github', secret('1234567')],
    ['no destination', 'github', secret('ghp_0123456789', { destinations: [] })],
    [
      'a wildcard',
      'github',
      secret('ghp_0123456789', { destinations: [{ ...github, host: '*.github.com' }] }),
    ],
  ])('with %s is refused before anything is written', async (_what, name, given) => {
    await expect((async () => vault.put(name, given))()).rejects.toMatchObject({ code: 'usage' })
    expect(existsSync(file)).toBe(false)
  })
})

describe('at rest', () => {
  test('nothing of a value stands in any file, and only the owner can read them', async () => {
    await vault.put('github', secret('ghp_0123456789', { description: 'for the nightly build' }))
    await vault.rotate('github', 'ghp_9876543210')
    const bytes = everyByte()
    for (const trace of ['ghp_', 'nightly', Buffer.from('ghp_0123456789').toString('base64').slice(2, 16)])
      expect(bytes).not.toContain(trace)
    for (const path of [file, join(folder, 'keys', 'vault.key')])
      expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('the age program opens it with the key', async (context) => {
    if (spawnSync('age', ['--version']).status !== 0) context.skip()
    await vault.put('github', secret('ghp_0123456789'))
    const opened = spawnSync('age', ['-d', '-i', join(folder, 'keys', 'vault.key'), file], {
      encoding: 'utf8',
    })
    expect(opened.stdout).toContain('ghp_0123456789')
  })

  test('another process sees a change at once', async () => {
    const other = await open()
    expect(await other.list()).toEqual([])
    await vault.put('github', secret('first-value'))
    expect(await other.value('github', github, 'x')).toMatchObject({ value: 'first-value' })
    await vault.rotate('github', 'other-value')
    expect(await other.value('github', github, 'x')).toMatchObject({ value: 'other-value' })
  })

  test('two writers lose nothing of each other', async () => {
    const other = await open()
    const names = Array.from({ length: 12 }, (_, at) => `name-${at}`)
    await Promise.all(names.map((name, at) => (at % 2 ? vault : other).put(name, secret(`value-${name}`))))
    expect((await (await open()).list()).map(({ name }) => name)).toEqual(names.toSorted())
  })

  test('a fingerprint tells values of one vault apart, and nothing to another vault', async () => {
    const [first, again, second] = [
      await vault.fingerprint('ghp_0123456789'),
      await (await open()).fingerprint('ghp_0123456789'),
      await vault.fingerprint('ghp_0123456780'),
    ]
    expect(first).toMatch(/^[0-9a-f]{16}$/)
    expect([again === first, second === first]).toEqual([true, false])
    const elsewhere = await openVault({
      file: join(folder, 'b', 'secrets.age'),
      identity: fileIdentity(join(folder, 'b', 'key')),
    })
    expect(await elsewhere.fingerprint('ghp_0123456789')).not.toBe(first)
  })
})

describe('a file that cannot be read', () => {
  const damages: [string, () => void | Promise<void>, string][] = [
    ['that was cut', () => writeFileSync(file, readFileSync(file, 'utf8').slice(0, -60)), 'cannot be read'],
    [
      'in which one byte differs',
      () => writeFileSync(file, flipped(readFileSync(file, 'utf8'))),
      'cannot be read',
    ],
    ['that is empty', () => writeFileSync(file, ''), 'cannot be read'],
    ['of another program', () => writeFileSync(file, '{"secrets":[]}'), 'cannot be read'],
    [
      'sealed for another key',
      () => rmSync(join(folder, 'keys'), { recursive: true }),
      'its key is not in the file',
    ],
    [
      'of a later version',
      async () =>
        writeFileSync(
          file,
          await seal({ v: 2, secrets: [], retired: [] } as never, (await identity().read()) ?? ''),
        ),
      'version 2',
    ],
    [
      'with something else inside',
      async () =>
        writeFileSync(
          file,
          await seal({ v: 1, secrets: 'ghp_0123456789' } as never, (await identity().read()) ?? ''),
        ),
      'not what a vault holds',
    ],
  ]

  test.each(damages)(
    '%s is refused with a sentence, and never written over',
    async (_what, damage, words) => {
      await vault.put('github', secret('ghp_0123456789'))
      await damage()
      const before = readFileSync(file, 'utf8')
      const opened = open().catch((error: unknown) => error)
      expect(await opened).toMatchObject({ code: 'config_invalid', message: expect.stringContaining(words) })
      expect(String(await opened)).not.toContain('ghp_')
      if (words !== 'its key is not in the file')
        await expect(vault.put('gitlab', secret('glp_0123456789'))).rejects.toMatchObject({
          code: 'config_invalid',
        })
      expect(readFileSync(file, 'utf8')).toBe(before)
    },
  )

  test('whose key was exchanged is refused', async () => {
    await vault.put('github', secret('ghp_0123456789'))
    rmSync(join(folder, 'keys'), { recursive: true })
    const stranger = await openVault({ file: join(folder, 'b.age'), identity: identity() })
    await stranger.fingerprint('makes-another-key')
    await expect(open()).rejects.toThrow('sealed for another key')
  })

  test('that is gone is missed, not taken for an empty one', async () => {
    await vault.put('github', secret('ghp_0123456789'))
    rmSync(file)
    await expect(vault.list()).rejects.toThrow('was there and is gone')
    await expect(vault.put('gitlab', secret('glp_0123456789'))).rejects.toThrow('was there and is gone')
    expect(existsSync(file)).toBe(false)
  })
})

test('the vault of a home asks for no keyring before there is something to keep', async () => {
  const place = vaultPaths({ state: join(folder, 's'), keys: join(folder, 'k') }, 'gw_test', 'file')
  const opened = await openVaultAt(place)
  expect(existsSync(place.key)).toBe(false)
  await opened.put('github', secret('ghp_0123456789'))
  expect([existsSync(place.key), existsSync(place.record)]).toEqual([true, true])
  expect(await (await openVaultAt(place)).list()).toHaveLength(1)
})

function flipped(text: string): string {
  const at = Math.floor(text.length * 0.8)
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}
