import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { openPackageRegistry, type PackageRegistry } from '../testing/package-registry.ts'
import { executePython } from './execute-python.ts'
import { packageManager } from './package-manager.ts'

const workspace = createBareWorkspace()
let goods: PackageRegistry
let registry: string

beforeAll(async () => {
  goods = await openPackageRegistry()
  registry = goods.url
})
afterAll(() => {
  goods.close()
  workspace.remove()
})

describe('package_manager', () => {
  it('installs with npm, runs no script of the package, lists and uninstalls', {
    timeout: 60_000,
  }, async () => {
    const npm = { manager: 'npm', registry }
    writeFileSync(join(workspace.root, '.npmrc'), 'ignore-scripts=false\nscript-shell=/bin/sh\n')
    const { result } = await workspace.use(packageManager, { ...npm, action: 'install', packages: ['left'] })
    expect(result, result.text).toMatchObject({ ok: true })
    expect(existsSync(join(workspace.root, 'node_modules/left/package.json'))).toBe(true)
    expect(existsSync(join(workspace.root, 'node_modules/left/canary'))).toBe(false)
    expect((await workspace.use(packageManager, { ...npm, action: 'list' })).result.text).toContain(
      'left@1.0.0',
    )
    await workspace.use(packageManager, { ...npm, action: 'uninstall', packages: ['left'] })
    expect(existsSync(join(workspace.root, 'node_modules/left'))).toBe(false)
  })

  it('installs with pip into a folder of its own, where Python finds it, lists and uninstalls it', {
    timeout: 60_000,
  }, async () => {
    const pip = { manager: 'pip', registry }
    const { result } = await workspace.use(packageManager, { ...pip, action: 'install', packages: ['right'] })
    expect(result, result.text).toMatchObject({ ok: true })
    expect(existsSync(join(workspace.root, 'python_packages/right.py'))).toBe(true)
    expect((await workspace.use(packageManager, { ...pip, action: 'list' })).result.text).toMatch(
      /right\s+1\.0/,
    )
    const code = 'import right, math\nprint(right.__name__, math.pi > 3, __name__)'
    const ran = await workspace.use(executePython, { code })
    expect(ran.result.text).toContain('right True __main__')
    const gone = { ...pip, action: 'uninstall', packages: ['right==1.0'] }
    expect((await workspace.use(packageManager, gone)).result).toMatchObject({ ok: true })
    expect(existsSync(join(workspace.root, 'python_packages/right.py'))).toBe(false)
  })

  it('reaches the places of the registry and nothing when it only lists', async () => {
    const resourcesOf = async (args: Parameters<typeof workspace.resolve>[1]) => {
      const found = await workspace.resolve(packageManager, args)
      return found.kind === 'found' ? found.resources.filter(({ type }) => type === 'url') : found
    }
    const install = { action: 'install', packages: ['x'] }
    const connect = (host: string) => ({ host, method: 'CONNECT', scheme: 'https' })
    expect(await resourcesOf({ ...install, manager: 'npm' })).toMatchObject([connect('registry.npmjs.org')])
    expect(await resourcesOf({ ...install, manager: 'pip' })).toMatchObject([
      connect('pypi.org'),
      connect('files.pythonhosted.org'),
    ])
    expect(await resourcesOf({ manager: 'pip', action: 'list' })).toEqual([])
  })

  it('refuses what is not plainly the name of a package, and a registry with more than a place', () => {
    const kind = (manager: string, name: string) =>
      parseArgs(packageManager, { manager, action: 'install', packages: [name] }).kind
    for (const name of ['left', '@scope/left', 'left@1.2.3', 'left@^1.0.0'])
      expect(kind('npm', name)).toBe('args')
    for (const name of ['right', 'right==1.0', 'right[extra]', 'Right~=2.1'])
      expect(kind('pip', name)).toBe('args')
    for (const name of [
      '-g',
      '--registry=x',
      './left',
      'owner/repo',
      'git+ssh://x',
      'http://x/y',
      'a b',
      'x.tgz',
      '',
    ])
      for (const manager of ['npm', 'pip']) expect(kind(manager, name), name).toBe('invalid')
    const withRegistry = (text: string) =>
      parseArgs(packageManager, { manager: 'npm', action: 'install', packages: ['x'], registry: text }).kind
    expect(withRegistry('https://registry.example.test:8443/npm')).toBe('args')
    for (const text of ['ftp://x', 'https://u:p@x', 'https://x?y', 'https://x#y', 'x'])
      expect(withRegistry(text), text).toBe('invalid')
  })

  it('refuses to list with names, and to do without any', () => {
    for (const args of [
      { manager: 'npm', action: 'list', packages: ['x'] },
      { manager: 'npm', action: 'install' },
      { manager: 'pip', action: 'uninstall' },
    ])
      expect(parseArgs(packageManager, args)).toMatchObject({ kind: 'invalid' })
  })
})
