import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { follow, type OperatorShell, openOperatorShell, repository, stepsIn } from './typed-document.ts'

const folders = [
  'tool',
  'plugin-units',
  'plugin-weather',
  'plugin-shopping',
  'plugin-notes',
  'agent',
  'automation',
  'webhook',
  'program',
  'policy',
]
const placeholders = {
  'sched_0198…': 'sched_[0-9a-f]{32}',
  'http://127.0.0.1:7347': 'http://127\\.0\\.0\\.1:\\d+',
}
const answers = `you:
  name: Ana
model:
  choice: demo
safety:
  choice: boundaries
  monthlyUsd: 10
`

let place: OperatorShell

beforeAll(async () => {
  place = openOperatorShell()
  cpSync(join(repository, 'examples'), join(place.folder, 'examples'), { recursive: true })
  // A new tool finds the product that made it; here all examples do, as after `npm install countersign`.
  const { output } = await place.type('countersign tool new borrowed')
  expect(output).toContain('Made borrowed')
  renameSync(join(place.folder, 'borrowed', 'node_modules'), join(place.folder, 'node_modules'))
  rmSync(join(place.folder, 'borrowed'), { recursive: true })
  addClient(join(place.folder, 'node_modules', 'countersign'))
  writeFileSync(join(place.folder, 'answers.yaml'), answers)
  const first = await place.type('countersign onboard --non-interactive --config answers.yaml')
  expect(first.code, first.output).toBe(0)
}, 180_000)

afterAll(() => place.close(), 120_000)

/** A tool needs nothing of it, so the product that a tool borrows does not lead there. */
function addClient(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { exports: object }
  const exports = { ...manifest.exports, './client': './client.js' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, exports }))
  const source = join(repository, 'packages/contract/src/program-client.ts')
  writeFileSync(join(folder, 'client.js'), `export * from ${JSON.stringify(source)}\n`)
}

test('every example has its test', () => {
  const found = readdirSync(join(repository, 'examples'), { withFileTypes: true })
  expect(found.filter((entry) => entry.isDirectory()).map(({ name }) => name)).toEqual(folders.toSorted())
})

test.each(folders)('the example %s goes as its readme says', { timeout: 300_000 }, async (name) => {
  const folder = join(place.folder, 'examples', name)
  const steps = stepsIn(readFileSync(join(folder, 'README.md'), 'utf8'), 'example')
  expect(steps.length).toBeGreaterThan(1)
  await follow(steps, placeholders, (commands) => place.type(commands, folder))
})
