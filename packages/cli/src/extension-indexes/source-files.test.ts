import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'
import { filesInArchive } from '@countersign/contract/skills'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunProgram, runProgram } from '../run-program.ts'
import { archiveFile, repositoryFile } from './source-files.ts'

const url = 'https://git.example.com/skills.git'
let folder: string
let commit: string
const made: string[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repository-'))
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      encoding: 'utf8',
    }).trim()
  mkdirSync(join(folder, 'letters'))
  writeFileSync(join(folder, 'letters', 'SKILL.md'), '---\nname: letters\ndescription: x\n---\n')
  writeFileSync(join(folder, 'other.txt'), 'not of the skill\n')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'a')
  commit = git('rev-parse', 'HEAD')
})
afterAll(() => {
  for (const each of [folder, ...made]) rmSync(each, { recursive: true, force: true })
})

/** The address of the test is that folder; everything else is as it would be. */
const toFolder: RunProgram = (program, args) =>
  runProgram(
    program,
    args.map((word) => (word === url ? folder : word.replace('protocol.https.', 'protocol.file.'))),
  )

test('a folder of one commit of a repository is brought as an archive that a skill is read from', async () => {
  const file = await repositoryFile({ kind: 'git', url, commit, path: 'letters' }, toFolder)
  if ('reason' in file) throw new Error(file.reason)
  made.push(dirname(file.path))
  const found = await filesInArchive(file.path)
  if (found.kind === 'refused') throw new Error(found.reason)
  expect([...found.files.keys()]).toEqual(['SKILL.md'])
})

test('a commit that is not there, and a way other than https, are told and not taken', async () => {
  const other = { kind: 'git' as const, url, commit: 'f'.repeat(40) }
  expect(await repositoryFile(other, toFolder)).toMatchObject({
    reason: expect.stringContaining('could not be fetched'),
  })
  const unchanged: RunProgram = (program, args) =>
    runProgram(
      program,
      args.map((word) => (word === url ? `file://${folder}` : word)),
    )
  expect(await repositoryFile({ kind: 'git', url, commit }, unchanged)).toMatchObject({
    reason: expect.stringContaining("transport 'file' not allowed"),
  })
  expect(await repositoryFile(other, async () => ({ kind: 'missing' }))).toMatchObject({
    reason: expect.stringContaining('git is not installed'),
  })
})

test('an archive is kept only with the hash that was named', async () => {
  const source = { kind: 'archive' as const, url: 'https://example.com/a.zip', sha256: sha256Hex('bytes') }
  const file = await archiveFile(source, async () => new Response('bytes'))
  if ('reason' in file) throw new Error(file.reason)
  made.push(dirname(file.path))
  expect(readFileSync(file.path, 'utf8')).toBe('bytes')
  expect(await archiveFile(source, async () => new Response('other'))).toMatchObject({
    reason: expect.stringContaining('is not what the index says'),
  })
})
