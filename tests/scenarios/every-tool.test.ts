import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@countersign/contract'
import { builtinTools } from '@countersign/tools'
import { exampleFor } from '@countersign/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSmall } from '../size.ts'
import { type ExampleInstallation, openExampleInstallation } from './example-installation.ts'

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const promised = textOf('packages/tools/src/golden/promised.txt')
  .trim()
  .split('\n')
  .flatMap((line) => line.replace(/^.*?: /, '').split(', '))

/** What needs a service of its own is really run where that service is. */
const elsewhere: Readonly<Record<string, string>> = {
  get_task_result: 'tests/scenarios/coding-agent.test.ts',
  package_manager: 'packages/executor/src/sandbox/tools-in-sandbox.test.ts',
  get_weather: 'packages/tools/src/weather/weather.test.ts',
  get_weather_forecast: 'packages/tools/src/weather/weather.test.ts',
  send_email: 'tests/scenarios/mail.test.ts',
  list_emails: 'tests/scenarios/mail.test.ts',
  read_email: 'tests/scenarios/mail.test.ts',
  delete_email: 'tests/scenarios/mail.test.ts',
  search_emails: 'tests/scenarios/mail.test.ts',
  reply_email: 'tests/scenarios/mail.test.ts',
  create_embedding: 'packages/tools/src/vectors/vectors.test.ts',
  similarity_score: 'packages/tools/src/vectors/vectors.test.ts',
  install_cli_tool: 'packages/tools/src/cli/cli.test.ts',
}

/** What is gone for good is run when nothing needs it any more. */
const isForGood = (name: string) => name === 'forget'
const here = promised
  .filter((name) => elsewhere[name] === undefined)
  .toSorted((one, other) => Number(isForGood(one)) - Number(isForGood(other)))

/** What the model says when it is asked to work on a text. */
const worked: Readonly<Record<string, JsonObject>> = {
  translate_text: { translation: 'The train comes at nine.' },
  batch_translate: { translations: ['Soup', 'Bread'] },
  detect_language: { code: 'de', sure: true },
  extract_structured_data: { tickets: 2, to: 'Graz' },
  extract_entities: { entities: [{ type: 'person', text: 'Anna' }] },
  extract_table_data: { columns: ['name', 'age'], rows: [['Anna', '42']] },
  summarize_text: { summary: 'A late train.' },
}

describe('every tool that was promised', () => {
  test('is there by its name', () => {
    const offered = new Set(builtinTools.filter(({ hidden }) => !hidden).map(({ name }) => name))
    expect(promised).toHaveLength(159)
    expect(new Set(promised).size).toBe(159)
    expect(promised.filter((name) => !offered.has(name))).toEqual([])
  })

  test.each(Object.entries(elsewhere))('%s is run in %s', (name, file) => {
    const constant = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    expect(textOf(file)).toMatch(new RegExp(`\\b(${name}|${constant})\\b`))
  })
})

describe.skipIf(isSmall)('every tool that was promised is really run', () => {
  let example: ExampleInstallation
  let server: Server
  let address: string
  let working: JsonObject | undefined

  beforeAll(async () => {
    server = createServer((request, response) => {
      const isJson = /rates|orders|search/.test(request.url ?? '')
      response.setHeader('content-type', isJson ? 'application/json' : 'text/html')
      response.end(
        isJson
          ? '{"rates":[1.1],"results":[{"title":"Museum","url":"https://example.org","content":"Open at ten"}]}'
          : '<title>News</title><main>Two orders came.</main>',
      )
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo
    address = `http://127.0.0.1:${port}`
    example = await openExampleInstallation({ COUNTERSIGN_LOCAL_TARGETS: `127.0.0.1:${port}` }, () => working)
  })
  afterAll(async () => {
    await example?.close()
    server?.close()
  })

  test.each(here)('%s', async (name) => {
    working = worked[name]
    const { run, calls } = await example.call(name, atOurs(exampleFor(name, example.ids)))
    const done = calls.find(({ tool }) => tool === name) ?? calls[0]
    expect(done, done?.summary).toMatchObject({ outcome: 'ok' })
    // So that the next finds what it needs.
    if (calls.some(({ undoable }) => undoable)) {
      const begun = await example.gateway.client.undoRun(run.id)
      await example.settle(begun.run)
    }
  })

  /** The same request of a server of this machine. */
  function atOurs(args: JsonObject): JsonObject {
    return JSON.parse(JSON.stringify(args).replaceAll(/https:\/\/(api\.|search\.)?example\.org/g, address))
  }
})
