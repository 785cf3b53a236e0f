import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { homePaths } from './home.ts'
import { ownFolders, programFolder, workspaceProblem } from './workspace-location.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-place-')))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const paths = homePaths({ COUNTERSIGN_HOME: join(home, 'product') }, 'linux')
const problem = (workspace: string) => workspaceProblem(workspace, ownFolders(paths))

it.each([
  'elsewhere',
  'product/workspace',
  'product/data/workspace',
  'product/data/workspace/inner',
  'product/other',
])('may be %s', (folder) => expect(problem(join(home, folder))).toBeUndefined())

it.each([
  '.',
  'product',
  'product/config',
  'product/config/policy.d',
  'product/data',
  'product/data/keys',
  'product/state/logs',
  'product/run',
])('may not be %s', (folder) => expect(problem(join(home, folder))).toMatch('belongs to Countersign'))

it('may not be one of these by a link, before or after it is made', () => {
  mkdirSync(join(home, 'product/config'), { recursive: true })
  symlinkSync(join(home, 'product/config'), join(home, 'innocent'))
  expect(problem(join(home, 'innocent'))).toMatch('is a folder that belongs')
  expect(problem(join(home, 'innocent/new'))).toMatch('lies in')
})

it('may not hold the program, nor lie in it', () => {
  expect(problem('/')).toMatch('holds')
  expect(problem(join(programFolder(), 'packages/x'))).toMatch('lies in')
  expect(problem(join(programFolder(), 'workspace'))).toMatch('lies in')
})

it('may be the usual one on a host where settings and data share a folder', () => {
  const mac = homePaths({}, 'darwin')
  expect(workspaceProblem(mac.workspace, ownFolders(mac))).toBeUndefined()
})
