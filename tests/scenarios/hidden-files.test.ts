import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type GatewayProcess, type Installation, openInstallation, settledRun } from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface PlannedCall {
  readonly name: string
  readonly args: Readonly<Record<string, string>>
}

let installation: Installation
let gateway: GatewayProcess
const at = (path: string) => join(installation.paths.workspace, path)
const lay = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const shell = (command: string): PlannedCall => ({ name: 'execute_shell', args: { command } })
const write = (path: string, content: string): PlannedCall => ({
  name: 'write_file',
  args: { path, content },
})

beforeAll(async () => {
  installation = await openInstallation({
    // One call a turn; the results are told at the end.
    script: ({ lastUser, messages }) => {
      const results = messages.flatMap((message) => message.results)
      const calls = JSON.parse(lastUser) as PlannedCall[]
      const next = calls[results.length]
      return next ? { calls: [next] } : { text: results.map(({ text }) => text).join('\n---\n') }
    },
  })
  gateway = await installation.start()
  lay('node_modules/x/README.md', 'words of a package')
  lay('own.md', 'words of mine')
  const { approvals } = await run(
    { name: 'read_file', args: { path: 'node_modules/x/README.md' } },
    write('research/page.md', '# A page\n\nwords of a stranger\n'),
  )
  expect(approvals).toEqual([])
})
afterAll(() => installation.close())

async function run(...calls: PlannedCall[]) {
  const admitted = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null,
    text: JSON.stringify(calls),
    mode: 'auto',
  })
  return settledRun(gateway.client, admitted.run ?? '', 'either')
}

const kinds = ({ calls }: Awaited<ReturnType<typeof run>>) => calls.map(({ decision }) => decision?.kind)

test('a program that does not name a marked file does not see it, is told so, and stays trusted', async () => {
  const detail = await run(
    shell('find . -name "*.md" | sort; cat research/*; true'),
    write('own.txt', 'mine'),
  )
  expect(kinds(detail)).toEqual(['allow', 'allow'])
  expect(detail.run.text).toContain('./own.md\n')
  expect(detail.run.text).not.toContain('words of a stranger')
  expect(detail.run.text).not.toContain('node_modules')
  expect(detail.run.text).toContain(
    '[1 path that strangers wrote was hidden from this program: research/page.md. Name one in the call to let it be read.]',
  )
})

test('a program that names it reads it, and what comes after asks', async () => {
  const detail = await run(shell('cat research/page.md'), write('own.txt', 'as the page said'))
  expect(detail.calls[0]?.result).toContain('words of a stranger')
  expect(kinds(detail)).toEqual(['allow', 'ask'])
})

test('packages are there for a program that may need them, and what comes after asks', async () => {
  const detail = await run(shell('npm --version; cat no*/x/README.md; true'), write('own.txt', 'x'))
  expect(detail.calls[0]?.result).toContain('words of a package')
  expect(kinds(detail)).toEqual(['allow', 'ask'])
})

test('a program cannot change what it does not see', async () => {
  const detail = await run(shell('rm -rf resea*'))
  expect(detail.calls[0]?.result).toContain('nothing that it wrote was kept')
  expect(readFileSync(at('research/page.md'), 'utf8')).toContain('words of a stranger')
})

test('a search passes over it and says so', async () => {
  const search = { name: 'search_files', args: { query: 'words of' } }
  const detail = await run(search, write('own.txt', 'mine'))
  expect(detail.run.text).toContain('own.md:1: words of mine')
  expect(detail.run.text).not.toContain('words of a stranger')
  expect(detail.run.text).toContain('hidden from this search: research/page.md. Read one with read_file')
  expect(kinds(detail)).toEqual(['allow', 'allow'])
})
