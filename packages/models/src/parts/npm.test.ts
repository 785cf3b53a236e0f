import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findNpm, type NpmSettings } from './npm.ts'

let folder: string
/** A Node with an npm beside it that only writes down what it sees. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-npm-'))
  const program = join(folder, 'lib', 'node_modules', 'npm', 'bin')
  for (const place of [program, join(folder, 'bin')]) mkdirSync(place, { recursive: true })
  symlinkSync(process.execPath, join(folder, 'bin', 'node'))
  writeFileSync(
    join(program, 'npm-cli.js'),
    "require('node:fs').writeFileSync('seen.json', JSON.stringify(process.env))",
  )
  vi.stubEnv('OPENAI_API_KEY', 'sk-environment-0123')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

async function seenBy(settings: Omit<NpmSettings, 'node'>): Promise<unknown> {
  const npm = findNpm({ ...settings, node: join(folder, 'bin', 'node') })
  const ended = await npm.run(['ci'], { cwd: folder, signal: new AbortController().signal })
  expect(ended).toEqual({ kind: 'done' })
  return JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'))
}

test('npm sees what it is given of the environment, and nothing else', async () => {
  const environment = { PATH: '/bin', npm_config_registry: 'https://registry.example.org' }
  expect(await seenBy({ environment })).toEqual(environment)
})

test('npm sees nothing of the environment where nothing is given', async () => {
  expect(await seenBy({})).toEqual({})
})
