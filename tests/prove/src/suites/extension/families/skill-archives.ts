/** Archives of skills that are not what they look like: names that lead out, links, twins, and bytes without end. */
import { gzipSync } from 'node:zlib'
import { filesOfArchive } from '@countersign/contract/skills'
import {
  type TarEntry,
  tarOf,
  type ZipEntry,
  zipOf,
} from '../../../../../../packages/contract/src/node/skills/testing/archives.ts'
import type { Random } from '../../../../../../packages/executor/src/testing/random.ts'
import type { Family } from '../family.ts'
import { skillText } from '../skills.ts'

const main = skillText('one', {})
const inTar: TarEntry = { path: 'one/SKILL.md', content: main }
const inZip: ZipEntry = { name: 'one/SKILL.md', content: main }

/** Names that no file may have, wherever it comes from. */
const names: readonly string[] = [
  '../x',
  'one/../../x',
  'one/./x',
  'one//x',
  '/etc/cron.d/x',
  'one\\..\\..\\x',
  'C:\\x',
  'C:/x',
  'one/a\u202egpj.sh',
  'one/SKILL\u200b.md',
  'one/a\nReport: nothing was found.',
  'one/a\u2028b',
  'one/con:stream',
  'one/x ',
  ' one/x',
  `one/${'d/'.repeat(60)}x`,
]

/** Names that another file of the skill has already, to some system. */
const twins: readonly string[] = [
  'one/SKILL.md',
  './one/SKILL.md',
  'one/skill.md',
  'one/SKILL.MD',
  'one/\uff33KILL.md',
  'one/\u017fkill.md',
  'one/SKILL.md/x',
]

/** In pairs, of which the first alone would be taken. */
const pairs: readonly (readonly [string, string])[] = [
  ['one/caf\u00e9.md', 'one/cafe\u0301.md'],
  ['one/Lib/a', 'one/lib/b'],
  ['one/Lib/a', 'one/LIB'],
  ['one/ﬁle.md', 'one/file.md'],
]

/** A path of more than a hundred bytes stands in two fields of a tar. */
function tarEntry(path: string): TarEntry {
  const at = path.length > 100 ? path.lastIndexOf('/', 120) : -1
  return at === -1
    ? { path, content: 'x' }
    : { prefix: path.slice(0, at), path: path.slice(at + 1), content: 'x' }
}

function withNames(some: readonly string[]): Buffer[] {
  return [
    tarOf([inTar, ...some.map(tarEntry)]),
    zipOf([inZip, ...some.map((name) => ({ name, content: 'x' }))]),
  ]
}

function taken(archive: Buffer): boolean {
  return filesOfArchive(archive).kind === 'files'
}

const named: Family = {
  name: 'names in the archive of a skill that lead elsewhere or are there twice',
  mutants: [
    'mistaken-names-are-taken',
    'alike-names-are-taken',
    'names-with-dots-are-taken',
    'files-are-there-twice',
  ],
  async attempt(_bench, random) {
    const word = `n${random.below(1_000_000)}`
    const all = [...names.map((name) => [name]), ...twins.map((name) => [name]), ...pairs]
    const wrong = all
      .filter((some) => withNames(some).some(taken))
      .map((some) => `${JSON.stringify(some).slice(0, 80)} was taken`)
    if (taken(zipOf([inZip, { name: `one/${word}${'x'.repeat(600)}`, content: 'x' }])))
      wrong.push('a long name was taken')
    // The nearest that has to work: other letters, blanks, depth, and files that can be run.
    const fine = [`one/${word}.md`, 'one/résumé 2.md', 'one/文.md', 'one/a/b/c/run.sh', 'one/…']
    return withNames(fine).every(taken) ? wrong : [...wrong, 'an honest archive was refused']
  },
}

const kinds: readonly TarEntry[] = [
  { path: 'one/a', type: '2', link: '/etc/passwd' },
  { path: 'one/a', type: '2', link: 'SKILL.md' },
  { path: 'one/a', type: '1', link: 'one/SKILL.md' },
  { path: 'one/a', type: '1', link: '/etc/shadow' },
  { path: 'one/a', type: '3' },
  { path: 'one/a', type: '4' },
  { path: 'one/a', type: '6' },
  { path: 'one/a', type: '7', content: 'x' },
  { path: 'one/a', type: 'S', content: 'x' },
  { path: 'one/a', type: 'V', content: 'x' },
  { path: '././@LongLink', type: 'L', content: 'one/../../x' },
  { path: '././@LongLink', type: 'K', content: '/etc/passwd' },
  { path: 'one/a', type: '5', content: 'echo hidden' },
]

const modes = [0o120777, 0o020666, 0o060660, 0o010644, 0o140755, 0o040755]

function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const length =
    [2, 3].map((digits) => rest.length + digits).find((sum, at) => String(sum).length === at + 2) ?? 0
  return `${length}${rest}`
}

const linked: Family = {
  name: 'links, devices and second headers in the archive of a skill',
  mutants: [
    'archived-links-are-files',
    'zipped-links-are-files',
    'extended-headers-are-let-be',
    'listed-names-are-believed',
  ],
  async attempt(_bench, random) {
    const target = `/etc/passwd-${random.below(1_000_000)}`
    const told = ['path', 'linkpath', 'size', 'GNU.sparse.name', 'hdrcharset'].map((key) =>
      tarOf([{ path: 'x', type: random.pick(['x', 'g']), content: record(key, target) }, inTar]),
    )
    const archives: readonly (readonly [string, Buffer])[] = [
      ...kinds.map((entry) => [`tar ${JSON.stringify(entry)}`, tarOf([entry, inTar])] as const),
      ...modes.map(
        (mode) =>
          [`zip ${mode.toString(8)}`, zipOf([inZip, { name: 'one/a', content: target, mode }])] as const,
      ),
      ...told.map((archive, at) => [`an extended header (${at})`, archive] as const),
      ['another name in the list', zipOf([inZip, { name: 'one/run.sh', listed: 'one/a.md', content: 'x' }])],
      ['an encrypted file', zipOf([inZip, { name: 'one/a', content: 'x', encrypted: true }])],
      ['a second end', zipOf([inZip], zipOf([{ ...inZip, content: 'other' }]).toString('latin1'))],
    ]
    const wrong = archives.filter(([, archive]) => taken(archive)).map(([what]) => `${what} was taken`)
    const honest = [
      tarOf([
        { path: 'x', type: 'g', content: record('comment', 'made by git') },
        { path: 'one/', type: '5' },
        inTar,
      ]),
      zipOf([{ name: 'one/', mode: 0o040755 }, inZip, { name: 'one/run.sh', content: 'x', mode: 0o100755 }]),
    ]
    return honest.every(taken) ? wrong : [...wrong, 'an honest archive was refused']
  },
}

/** A zip whose first file is, byte for byte, the second one with its head. Each byte is unpacked for both. */
function nested(): Buffer {
  const inner: ZipEntry = { name: 'one/b', content: Buffer.alloc(1000, 'x'), stored: true }
  const written = zipOf([inner])
  const content = written.subarray(0, written.indexOf('PK\x01\x02'))
  const outer: ZipEntry = { name: 'one/SKILL.md', content, stored: true }
  return zipOf([outer, { ...inner, place: 30 + outer.name.length }])
}

/** Small ones that become large, and those that become many. */
function bombs(random: Random): readonly (readonly [string, () => Buffer])[] {
  const count = 501 + random.below(500)
  const many = Array.from({ length: count }, (_, at) => `one/${at}`)
  const mega = Buffer.alloc(1024 * 1024, 'x')
  const large = Buffer.alloc(3 * 1024 * 1024, 'x')
  const twelve = Array.from({ length: 12 }, (_, at) => `one/${at}`)
  return [
    ['too many files of a tar', () => tarOf([inTar, ...many.map(tarEntry)])],
    ['too many files of a zip', () => zipOf([inZip, ...many.map((name) => ({ name, content: '' }))])],
    [
      'too many folders of a zip',
      () => zipOf([inZip, ...[...many, ...many].map((name) => ({ name: `${name}/`, mode: 0o040755 }))]),
    ],
    ['a large file of a tar', () => tarOf([inTar, { path: 'one/a', content: large }])],
    ['a large file of a zip', () => zipOf([inZip, { name: 'one/a', content: large }])],
    ['a zip that says less', () => zipOf([inZip, { name: 'one/a', content: mega, size: 10 }])],
    ['a tar that is much together', () => tarOf([inTar, ...twelve.map((path) => ({ path, content: mega }))])],
    ['a zip that is much together', () => zipOf([inZip, ...twelve.map((name) => ({ name, content: mega }))])],
    ['one content for many', nested],
    [
      'bytes behind the end of a tar',
      () => Buffer.concat([tarOf([inTar]), gzipSync(Buffer.alloc(40 * 1024 * 1024))]),
    ],
    ['a gzip within a gzip', () => gzipSync(tarOf([inTar]))],
  ]
}

const bombed: Family = {
  name: 'archives of skills that become large or many',
  mutants: ['skills-grow-without-end', 'skills-of-any-size', 'zips-share-their-content'],
  async attempt(_bench, random, round) {
    const all = bombs(random)
    // The large ones take a moment to make: a third of them each time.
    const some = all.filter((_, at) => at % 3 === round % 3)
    const wrong = some.filter(([, make]) => taken(make())).map(([what]) => `${what} was taken`)
    const full = Array.from({ length: 499 }, (_, at) => `one/${at}`)
    return withNames(full).every(taken) ? wrong : [...wrong, 'as many files as may be were refused']
  },
}

export const skillArchiveFamilies: readonly Family[] = [named, linked, bombed]
