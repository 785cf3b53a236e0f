import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunProgram, runProgram } from '../run-program.ts'
import { skillAt } from './skill-place.ts'

const url = 'https://git.example.com/skills.git'
let folder: string
const commits: string[] = []

const git = (...words: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
    encoding: 'utf8',
  }).trim()

function commitWith(body: string): void {
  writeFileSync(join(folder, 'letters', 'SKILL.md'), `---\nname: letters\ndescription: x\n---\n${body}\n`)
  git('add', '.')
  git('commit', '--quiet', '-m', body)
  commits.push(git('rev-parse', 'HEAD'))
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repository-'))
  git('init', '--quiet')
  mkdirSync(join(folder, 'letters'))
  // What it wants to be done with its files when they are brought.
  const wishes = '*.md filter=evil ident export-subst\nhidden.txt export-ignore\n'
  writeFileSync(join(folder, '.gitattributes'), wishes)
  writeFileSync(join(folder, 'letters', 'hidden.txt'), '$Id$ $Format:%H$')
  commitWith('First $Format:%H$.')
  commitWith('Second.')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The address of the test is that folder; everything else is as it would be, for an account with a filter of its own. */
const toFolder: RunProgram = (program, args) =>
  runProgram(program, [
    '-c',
    'filter.evil.smudge=sh -c "cat; echo filtered"',
    ...args.map((word) => (word === url ? folder : word.replace('protocol.https.', 'protocol.file.'))),
  ])

const never: RunProgram = () => Promise.reject(new Error('nothing is fetched'))

test('a skill is the files of one commit, byte for byte, and its commit is said', async () => {
  const [first = ''] = commits
  const found = await skillAt(`${url}#${first}:letters`, 'letters', toFolder)
  if (typeof found === 'string') throw new Error(found)
  expect(found.source).toBe(`${url} at the commit ${first}, folder letters`)
  expect(found.folder).toBeUndefined()
  const text = (path: string) => Buffer.from(found.files.get(path)?.bytes ?? []).toString()
  expect([...found.files.keys()]).toEqual(['SKILL.md', 'hidden.txt'])
  expect(text('SKILL.md')).toMatch(/First \$Format:%H\$\.\n$/)
  expect(text('hidden.txt')).toBe('$Id$ $Format:%H$')
})

test('the other commit has other files', async () => {
  const found = await skillAt(`${url}#${commits[1]}:letters`, 'letters', toFolder)
  if (typeof found === 'string') throw new Error(found)
  expect(Buffer.from(found.files.get('SKILL.md')?.bytes ?? []).toString()).toContain('Second.')
})

test.each([
  [url, 'Name the whole commit'],
  [`${url}#main`, 'Name the whole commit'],
  [`${url}#0123456`, 'Name the whole commit'],
  [`file:///tmp/skills#${'a'.repeat(40)}`, 'over https only'],
  [`http://git.example.com/x#${'a'.repeat(40)}`, 'over https only'],
  [`ssh://git@git.example.com/x#${'a'.repeat(40)}`, 'over https only'],
  [`git@git.example.com:x#${'a'.repeat(40)}`, 'over https only'],
  [`ext::sh -c touch% /tmp/x#${'a'.repeat(40)}`, 'There is nothing at'],
  [`${url}#${'a'.repeat(40)}:../x`, 'over https only'],
  [`${url}#${'a'.repeat(40)}:--output=x`, 'over https only'],
  [`https://me:word@git.example.com/x#${'a'.repeat(40)}`, 'a password in the address'],
])('%s is refused before anything is fetched', async (place, reason) => {
  expect(await skillAt(place, 'letters', never)).toContain(reason)
})
