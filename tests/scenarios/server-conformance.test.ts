/** Our client against the protocol's own suite. What is not passed is named here with its reason. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const suite = join(
  dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))),
  'dist/index.js',
)
const client = fileURLToPath(import.meta.resolve('@countersign/executor/conformance-client'))

/** Streams that go on elsewhere, and clients with a public address are not offered. */
const left = [
  'sse-retry',
  'auth/basic-cimd',
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow',
]
const passed = [
  'initialize',
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-conformance-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(
  words: readonly string[],
): Promise<{ readonly exit: number | null; readonly text: string }> {
  const child = spawn(process.execPath, [suite, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { exit, text }
}

describe('the conformance suite of the protocol, for clients', () => {
  test.each(passed)('passes %s', { timeout: 120_000 }, async (scenario) => {
    const command = `${process.execPath} ${client}`
    const { exit, text } = await run([
      'client',
      '--command',
      command,
      '--scenario',
      scenario,
      '--output-dir',
      folder,
      '--timeout',
      '90000',
    ])
    expect(exit, text).toBe(0)
    expect(text).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/)
  })

  test('has no scenario that is not named here', async () => {
    const { text } = await run(['list', '--client'])
    const all = [...text.matchAll(/^ +- (\S+) \[/gm)].map(([, name = '']) => name)
    expect(all.toSorted()).toEqual([...passed, ...left].toSorted())
  })
})
