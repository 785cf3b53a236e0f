/**
 * Installs and lists packages with npm or pip, by fixed words. No script of a package runs, nothing is built, and the
 * only places reached are those of the registry. Refuses addresses, paths and options in place of a name.
 */
import type { Effect, UrlResource } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, perMinute } from '../definition.ts'
import type { Inspector } from '../inspector.ts'
import { failed } from '../result.ts'
import { pathText } from '../text.ts'
import { execResource, resultOf, seeFolder } from './program.ts'
import { pipFolder, pipUninstall } from './python-packages.ts'

interface PackageRequest {
  readonly manager: 'npm' | 'pip'
  readonly action: 'install' | 'uninstall' | 'list'
  readonly packages: readonly string[]
  readonly registry: string | null
  /** Relative to the folder in which it works. */
  readonly into?: string
}

const npmName = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(?:@[A-Za-z0-9^~][A-Za-z0-9.+-]*)?$/
const pipName =
  /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\[[A-Za-z0-9,_-]+\])?(?:(?:==|>=|<=|~=)[A-Za-z0-9][A-Za-z0-9.+]*)?$/

export const packageManager = defineTool({
  name: 'package_manager',
  version: '5',
  description:
    'Install, uninstall or list packages with npm or pip in the workspace. Install scripts do not run.',
  input: z
    .strictObject({
      manager: z.enum(['npm', 'pip']),
      action: z.enum(['install', 'uninstall', 'list']),
      packages: z.array(z.string().max(214)).max(50).default([]),
      /** Another registry than the usual one, as `https://host[:port]/path`. */
      registry: z
        .string()
        .max(500)
        .regex(/^https?:\/\/[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:\/[A-Za-z0-9._~/-]*)?$/)
        .nullable()
        .default(null),
      cwd: pathText.default('.'),
      /** A folder below the working directory that holds them instead of the project there. */
      into: z
        .string()
        .max(200)
        .regex(/^[A-Za-z0-9_][A-Za-z0-9_-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_-]*)*$/)
        .exactOptional(),
    })
    .refine(({ action, packages }) => (action === 'list') === (packages.length === 0), {
      path: ['packages'],
      message: 'go with install and uninstall, not with list',
    })
    .refine(
      ({ manager, packages }) => packages.every((name) => names[manager].test(name) && !archive.test(name)),
      {
        path: ['packages'],
        message: 'holds what is not the name of a package',
      },
    ),
  category: 'code',
  group: 'codeExecution',
  tags: [
    'npm',
    'pip',
    'install',
    'package',
    'dependency',
    'library',
    'module',
    'add to my project',
    'upgrade',
  ],
  effect: 'once',
  rate: perMinute(3),
  floor: 3,
  output: { integrity: 'untrusted', confidentiality: 'public', sources: ['package registry'] },
  runs: 'executor',
  sandbox: 'network',
  egress: 'checked',
  undo: 'restore_workspace',
  describe: (wish) => `${wish.manager} ${wish.action} ${wish.packages.join(' ')}`.trim(),
  preview: ({ cwd, ...wish }) => ({
    kind: 'shell',
    command: argvOf(wish).join(' '),
    cwd,
    sandbox:
      wish.action === 'install'
        ? `The workspace can be written; the network reaches ${hostsOf(wish).join(' and ')} only.`
        : 'The workspace can be written; no network.',
  }),
  async effects({ cwd, ...wish }, inspect) {
    const folder = await seeFolder(cwd, inspect)
    if (folder.kind !== 'folder') return folder
    const program = await inspect.program(argvOf(wish)[0] ?? '')
    if (!program) {
      const fix = wish.manager === 'npm' ? 'apt-get install npm' : 'apt-get install python3-pip'
      return { kind: 'unavailable', reason: `There is no ${wish.manager} in the sandbox.`, fix }
    }
    const places = wish.action === 'install' ? placesOf(wish, inspect) : []
    if ('reason' in places) return { kind: 'invalid', reason: places.reason }
    const { path } = folder.location
    return {
      kind: 'found',
      resources: [execResource(program, argvOf(wish), path, inspect, false), ...places],
      effects: [
        ...places.map(fetchEffect),
        {
          verb: 'execute',
          object: argvOf(wish).join(' '),
          scope: 'inside',
          reversible: false,
          outward: false,
          leaves: [],
        },
      ],
    }
  },
  async run({ cwd, ...wish }, capabilities, signal) {
    const location = capabilities.files.locate(cwd)
    if (location.root !== 'workspace') return failed(`The working directory ${cwd} is outside the workspace.`)
    const outcome = await capabilities.shell.run({
      argv: argvOf(wish),
      cwd: location.path,
      timeoutMs: longestInstall,
      signal,
      undoable: true,
    })
    return resultOf(outcome, `${wish.manager} ${wish.action}`, longestInstall)
  },
})

const names = { npm: npmName, pip: pipName }
/** Either manager takes a name that ends so for a file. */
const archive = /\.(?:tgz|tar|gz|zip|whl|bz2|xz)$/i
const longestInstall = 120_000

const registries = {
  npm: ['https://registry.npmjs.org/'],
  pip: ['https://pypi.org/simple/', 'https://files.pythonhosted.org/'],
}

/** The address of the index comes first; the others are where it keeps its files. */
function addressesOf({ manager, registry }: PackageRequest): readonly string[] {
  return registry === null ? registries[manager] : [registry.endsWith('/') ? registry : `${registry}/`]
}

function hostsOf(wish: PackageRequest): string[] {
  return addressesOf(wish).map((address) => new URL(address).host)
}

function placesOf(wish: PackageRequest, inspect: Inspector): UrlResource[] | { reason: string } {
  const places: UrlResource[] = []
  for (const address of addressesOf(wish)) {
    const inspection = inspect.url(address, 'CONNECT')
    if (inspection.kind === 'refused') return { reason: inspection.reason }
    const { scheme, addressClass } = inspection.resource
    // On the way through a foreign network a plain connection lets anybody put another package in.
    if (scheme === 'http' && (addressClass === 'name' || addressClass === 'public'))
      return { reason: 'A registry that is not on this network needs https.' }
    places.push(inspection.resource)
  }
  return places
}

function fetchEffect({ scheme, host, port }: UrlResource): Effect {
  return {
    verb: 'fetch',
    object: `${scheme}://${host}:${port}`,
    scope: 'boundary',
    reversible: true,
    outward: false,
    leaves: ['the names of the packages'],
  }
}

function argvOf(wish: PackageRequest): string[] {
  return wish.manager === 'npm' ? npmArgv(wish) : pipArgv(wish)
}

/** What a settings file of the workspace could say otherwise is said here, where it cannot be overruled. */
function npmArgv(wish: PackageRequest): string[] {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--no-progress']
  const closed = ['--git=/bin/false', '--script-shell=/bin/false', '--workspaces=false', '--global=false']
  const where = [`--registry=${addressesOf(wish)[0]}`, '--cache=/tmp/npm', '--userconfig=/dev/null']
  const into = wish.into === undefined ? [] : [`--prefix=${wish.into}`]
  return ['npm', wish.action, ...quiet, ...closed, ...where, ...into, '--', ...wish.packages]
}

function pipArgv(wish: PackageRequest): string[] {
  const quiet = ['--isolated', '--disable-pip-version-check', '--no-input', '--no-color', '--no-cache-dir']
  const folder = wish.into ?? pipFolder
  if (wish.action === 'list') return ['pip3', ...quiet, 'list', '--path', folder]
  if (wish.action === 'uninstall') {
    const plain = wish.packages.map((name) => name.replace(/[[=<>~].*$/, ''))
    return [
      'python3',
      '-I',
      '-c',
      pipUninstall,
      '--no-input',
      '--no-color',
      'uninstall',
      '--yes',
      '--',
      ...plain,
    ]
  }
  const address = addressesOf(wish)[0] ?? ''
  const { protocol, hostname } = new URL(address)
  return [
    'pip3',
    ...quiet,
    'install',
    '--only-binary',
    ':all:',
    '--index-url',
    address,
    ...(protocol === 'http:' ? ['--trusted-host', hostname] : []),
    '--progress-bar',
    'off',
    '--target',
    folder,
    '--',
    ...wish.packages,
  ]
}
