/**
 * Owns the paths that are tried: ways to climb out, spelled in every manner, to what lies outside, and names that are
 * odd in themselves. The same seed gives the same paths.
 */
import { relative } from 'node:path'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'

export interface PathPlaces {
  readonly workspace: string
  readonly outside: readonly string[]
  readonly covered: string
  readonly landing: string
}

/** As many different paths as asked for: first the ones that matter most, then each family in turn. */
export function createPaths(count: number, places: PathPlaces, random: Random): string[] {
  const first = firstPaths(places)
  const found = new Set<string>([...first, ...fixedPaths(places)])
  const makers = Object.values(families)
  for (let turn = 0; found.size < count; turn += 1) {
    const make = makers[turn % makers.length]
    if (make) found.add(make(places, random))
  }
  return [...first, ...random.shuffle([...found].slice(first.length))].slice(0, count)
}

type Family = (places: PathPlaces, random: Random) => string

const families: Record<string, Family> = {
  climbing: (places, random) => climb(places, random, '..', '/'),
  'climbing spelled otherwise': (places, random) =>
    climb(places, random, random.pick(dots), random.pick(separators)),
  'climbing in a mixture': (places, random) => {
    const steps = Array.from(
      { length: 1 + random.below(9) },
      () => random.pick(dots) + random.pick(separators),
    )
    return random.pick(prefixes(places)) + steps.join('') + random.pick(targets(places))
  },
  'climbing after a detour': (places, random) =>
    `${random.pick(['notes', 'notes/deep', 'nothing', 'notes/note.txt', '.', 'a/./b'])}/${climb(places, random, '..', '/')}`,
  'from the top': (places, random) => random.pick(roots) + absolute(places, random) + random.pick(suffixes),
  'from the top of the workspace': (places, random) =>
    places.workspace +
    random.pick(['', '/', '//', '/.', '/..', '/../', '-twin/', '\\', '/notes/../..', '%2f..%2f']) +
    tail(places, random),
  'through a link': (places, random) => {
    const inner = random.pick(['', '/', '/./', '//', '/../', '/deeper/..'])
    return `${random.pick(doors)}${inner}${random.pick(['', '/'])}${tail(places, random)}${random.pick(suffixes)}`
  },
  'through a link, spelled otherwise': (places, random) =>
    `${random.pick(['./', 'notes/../', './/', 'nothing/../', `${places.workspace}/`])}${random.pick(doors)}${random.pick(separators)}${tail(places, random)}`,
  'at home': (places, random) =>
    `${random.pick(['~', '~/', '~/..', '~root', '~root/', '~+', '~-', '~nobody/', '$HOME/', '${HOME}/', '%USERPROFILE%\\', '~//', './~/'])}${tail(places, random)}`,
  'inside by a detour': ({ workspace }, random) => {
    const name = random.pick(['mine.txt', 'notes/note.txt', 'notes/deep', 'twin', 'café', 'notes', 'nest'])
    const way = random.pick(['', './', 'notes/../', 'nothing/../', 'a/b/../../', `${workspace}/`, './/./'])
    return way.repeat(1 + random.below(3)) + name.replace('/', random.pick(['/', '//', '/./', '/x/../']))
  },
  'with a byte that ends it': (places, random) => {
    const path = climb(places, random, '..', '/')
    const at = random.below(path.length + 1)
    return path.slice(0, at) + random.pick(controls) + path.slice(at)
  },
  'in other letters': (places, random) => {
    const path = random.pick([
      climb(places, random, '..', '/'),
      absolute(places, random),
      tail(places, random),
    ])
    return random.pick([
      path.toUpperCase(),
      path.normalize('NFD'),
      path.normalize('NFKD'),
      path.replaceAll(/./gsu, wide),
      path.replaceAll(/./gsu, (letter) => (random.below(2) === 0 ? letter.toUpperCase() : letter)),
      encodeURIComponent(path),
      encodeURIComponent(encodeURIComponent(path)),
      Buffer.from(path).toString('hex').replaceAll(/(..)/g, '%$1'),
    ])
  },
  'into the covered folder': ({ covered, workspace, landing }, random) =>
    random.pick(['', './', 'notes/../', `${workspace}/`]) +
    random.pick([
      covered,
      covered.toUpperCase(),
      covered.replace('/', '//'),
      covered.replace('/', '/./'),
      `${covered}/..`,
    ]) +
    random.pick(['/secret.txt', '/', `/${landing}`, '/replay.db', '/../covered/secret.txt', '']),
  'an odd name': ({ landing }, random) => random.pick(oddNames)(`${landing}${random.below(1e6)}`),
  'a drive or a device': (_, random) =>
    random.pick([
      'C:',
      'C:\\',
      'c:/',
      '\\\\?\\',
      '\\\\.\\',
      '\\\\host\\share\\',
      '//host/share/',
      '',
      'Z:..\\',
    ]) +
    random.pick([
      'CON',
      'NUL',
      'COM1',
      'LPT1.txt',
      'aux',
      'PRN',
      'Windows\\System32',
      '..\\..\\secret.txt',
      'nul.txt::$DATA',
    ]),
  'by an address': (places, random) =>
    random.pick(['file://', 'file:', 'file:///', 'FILE:/', 'http://localhost/', 'data:,', 'vscode-file://']) +
    absolute(places, random),
  'a long way': (places, random) => {
    const step = random.pick(['./', 'notes/../', '../', '/', 'notes/deep/../../'])
    return step.repeat(1 + random.below(Math.floor(4_200 / step.length))) + tail(places, random)
  },
}

const dots = [
  '..',
  '%2e%2e',
  '%2E%2E',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '%25252e%25252e',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '%f0%80%80%ae%f0%80%80%ae',
  '%u002e%u002e',
  '%%32%65%%32%65',
  '\\u002e\\u002e',
  '\\x2e\\x2e',
  '&#46;&#46;',
  '\u{ff0e}\u{ff0e}',
  '\u{2024}\u{2024}',
  '\u{2025}',
  '\u{2026}',
  '\u{3002}\u{3002}',
  '\u{fe52}\u{fe52}',
  '\u{ff61}\u{ff61}',
  '..\u{200b}',
  '.\u{200d}.',
  '\u{202e}..',
  '.\u{fe0f}.',
  '.\u{ad}.',
  '...',
  '....',
  '.. ',
  ' ..',
  '. .',
  '..;',
  '..\0',
  '\0..',
  '..\u{feff}',
  '\u{d800}..',
  'À®À®',
] as const

const separators = [
  '/',
  '//',
  '///',
  '\\',
  '\\/',
  '/\\',
  '/./',
  '\\.\\',
  '%2f',
  '%2F',
  '%5c',
  '%5C',
  '%252f',
  '%255c',
  '%c0%af',
  '%c1%9c',
  '%e0%80%af',
  '%u2215',
  '%u2216',
  '\u{2215}',
  '\u{2044}',
  '\u{ff0f}',
  '\u{ff3c}',
  '\u{29f8}',
  '\u{2571}',
  '\u{a789}',
  '/\0',
  '/ ',
  ' /',
  '/\n',
  '/\r',
  ':/',
  ';/',
  '%00/',
  '/%00',
  '/\u{200b}',
] as const

const suffixes = [
  '',
  '',
  '',
  '/',
  '//',
  '/.',
  '.',
  '...',
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\0',
  '\0.txt',
  '%00',
  '%00.png',
  '%0a',
  '#',
  '?raw',
  ';',
  '/..',
  '/../secret.txt',
  '::$DATA',
  '.bak',
  '~',
  '*',
  '\u{200b}',
] as const

const controls = [
  ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)),
  '\u{7f}',
  '\u{85}',
  '\u{9b}31m',
  '\u{2028}',
  '\u{2029}',
  '\u{202e}',
  '\u{2066}',
  '\u{feff}',
  '\u{e0001}',
  '\u{d800}',
  '\u{dfff}',
  '\u{fffe}',
]

const roots = [
  '',
  '/',
  '//',
  '/.',
  '/..',
  '/../..',
  '/proc/self/root',
  '/proc/self/cwd/..',
  '/proc/thread-self/root',
  '/proc/1/root',
  `/proc/${process.pid}/root`,
  `/proc/${process.pid}/cwd`,
  '/dev/fd/3',
  '/dev/fd/0/..',
  '/proc/self/fd/0',
  '/dev/stdin',
  '/dev/../',
  '/tmp/..',
  '/usr/../',
  './/',
] as const

const doors = [
  'door',
  'window',
  'hatch',
  'dangling',
  'dangling-folder',
  'chain',
  'chain-two',
  'loop',
  'up',
  'root',
  'system',
  'process',
  'descriptors',
  'climb',
  'inner',
  'inner-folder',
  'via',
  'pipe',
  'socket',
  'twin',
] as const

const oddNames: readonly ((name: string) => string)[] = [
  (name) => `${name} `,
  (name) => `${name}.`,
  (name) => ` ${name}`,
  (name) => `-${name}`,
  (name) => `--${name}=x`,
  (name) => `${name}\n../../beside/secret.txt`,
  (name) => `${name}\r`,
  (name) => `.${name}`,
  (name) => `..${name}`,
  (name) => `...${name}`,
  (name) => `${name}..`,
  (name) => `${name}/..`,
  (name) => `${name}/../..`,
  (name) => `${name}/.`,
  (name) => `${name}/./.`,
  (name) => `${name}//x`,
  (name) => `$(${name})`,
  (name) => `\`${name}\``,
  (name) => `${name};x`,
  (name) => `${name}|x`,
  (name) => `${name}*`,
  (name) => `[${name}]`,
  (name) => `{${name},x}`,
  (name) => `${name}'"`,
  (name) => `${name}\\`,
  (name) => `\\${name}`,
  (name) => `${name}\\..\\..\\beside\\secret.txt`,
  (name) => `${name}é`,
  (name) => `${name}é`.normalize('NFD'),
  (name) => `${name}\u{212b}`,
  (name) => `${name}ﬁ`,
  (name) => `${name}\u{1f600}`,
  (name) => `__proto__/${name}`,
  (name) => `constructor/${name}`,
  (name) => `.git/${name}`,
  (name) => `.GIT/hooks/${name}`,
  (name) => `${name}.tmp`,
  (name) => `${'x'.repeat(250)}${name}`,
  (name) => `${'é'.repeat(120)}${name.slice(-10)}`,
  (name) => `a/b/c/d/e/f/g/h/${name}`,
  (name) => `${name}.png`,
]

/** One for each kind of thing that stands in the workspace, so that no run goes without. */
function firstPaths({ landing, outside, covered }: PathPlaces): string[] {
  return [
    'mine.txt',
    'window',
    'door/secret.txt',
    `door/${landing}`,
    'hatch/folder/secret.txt',
    'dangling',
    `dangling-folder/${landing}`,
    'chain/secret.txt',
    'loop',
    'up/beside/secret.txt',
    `root${outside[0]}/secret.txt`,
    'system/os-release',
    'process/environ',
    'inner',
    'inner-folder',
    'pipe',
    'socket',
    'twin',
    'climb',
    `${covered}/secret.txt`,
    `${covered}/${landing}`,
    '../beside/secret.txt',
    `../beside/${landing}`,
    `${outside[0]}/secret.txt`,
    `${outside[0]}/${landing}`,
    `~/${landing}`,
  ]
}

function fixedPaths({ landing, workspace, outside, covered }: PathPlaces): string[] {
  return [
    '.',
    './',
    '..',
    '../',
    '/',
    '~',
    '~/',
    '',
    ' ',
    '\0',
    'notes',
    'notes/deep',
    'café',
    'café'.normalize('NFD'),
    covered,
    workspace,
    `${workspace}/`,
    `${workspace}-twin/secret.txt`,
    ...outside.flatMap((folder) => [
      folder,
      `${folder}/secret.txt`,
      `${folder}/folder`,
      `${folder}/${landing}`,
    ]),
    ...doors,
    'a/'.repeat(60) + landing,
    'd/'.repeat(400) + landing,
    '../'.repeat(1_300) + landing,
    './'.repeat(2_000) + landing,
    'x'.repeat(255),
    'x'.repeat(256),
    'x'.repeat(4_096),
    'x'.repeat(5_000),
    `${'/'.repeat(4_000)}etc/passwd`,
    '/etc/passwd',
    '/etc/shadow',
    '/proc/self/environ',
    '/proc/self/mem',
    '/proc/self/maps',
    '/proc/kcore',
    '/dev/mem',
    '/dev/null',
    '/dev/zero',
    '/dev/random',
    '/dev/tty',
    '/sys/kernel/notes',
    '/run',
  ]
}

function prefixes({ workspace }: PathPlaces): string[] {
  return [
    '',
    '',
    './',
    'notes/',
    'notes/deep/',
    '/',
    'nothing/',
    `${workspace}/`,
    '~/',
    './/',
    'door/',
    'up/',
  ]
}

/** Up by so many steps and down again to something that is there, or would land there. */
function climb(places: PathPlaces, random: Random, dot: string, separator: string): string {
  const depth = 1 + random.below(random.pick([4, 8, 14, 40]))
  const parts = places.workspace.split('/').filter((part) => part !== '')
  const base = `/${parts.slice(0, Math.max(0, parts.length - depth)).join('/')}`
  const down = relative(base, absolute(places, random))
  const goal = random.below(4) === 0 ? random.pick(targets(places)) : down
  return (dot + separator).repeat(depth) + goal.split('/').join(separator) + random.pick(suffixes)
}

function absolute(places: PathPlaces, random: Random): string {
  return `${random.pick(places.outside)}${random.pick(['', '/', '//', '/./'])}${tail(places, random)}`
}

function tail({ landing }: PathPlaces, random: Random): string {
  return random.pick([
    '',
    'secret.txt',
    'secret.txt',
    'secret.png',
    'folder',
    'folder/secret.txt',
    'folder/deeper/secret.txt',
    'plain.txt',
    landing,
    `folder/${landing}${random.below(1e6)}`,
    `${landing}/${landing}`,
    'os-release',
    'etc/passwd',
    'environ',
    'cwd',
    'fd/0',
    '0',
    '../secret.txt',
    './secret.txt',
  ])
}

function targets({ landing }: PathPlaces): string[] {
  return [
    'beside/secret.txt',
    'beside/folder',
    `beside/${landing}`,
    'beside',
    'trust.json',
    'keys',
    'keys/gateway.key',
    'executor',
    'device/device.key',
    'outside/secret.txt',
    'workspace-twin/secret.txt',
    'workspace',
    'etc/passwd',
    'etc/shadow',
    landing,
    'root/.ssh/id_rsa',
    '',
  ]
}

/** The full-width form of an ASCII letter. */
function wide(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  return code > 0x20 && code < 0x7f ? String.fromCodePoint(code + 0xfee0) : letter
}
