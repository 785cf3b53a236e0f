import { stripVTControlCharacters } from 'node:util'
import type { ToolGroupView, ToolView } from '@countersign/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createContext } from '../context.ts'
import { written } from '../output/answer.ts'
import { usualFlags } from '../testing/flags.ts'
import { type FakeGateway, fakeGateway } from '../testing/gateway.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { list } from './tool.ts'

const files: ToolGroupView = {
  name: 'files',
  title: 'Files',
  about: '',
  enabled: true,
  enabledAtFirst: true,
  needs: null,
  tools: [],
}

let home: TestHome
let gateway: FakeGateway
let tools: ToolView[]
beforeEach(async () => {
  home = testHome()
  gateway = await fakeGateway(home.paths, home.establish())
  gateway.models.answer = ({ path }) => {
    if (path === '/v1/tools') return tools
    return path === '/v1/tool-groups' ? [files] : undefined
  }
})
afterEach(async () => {
  await gateway.close()
  home.remove()
})

function tool(name: string, calls: number, failures: number): ToolView {
  return {
    name,
    description: `It is ${name}.`,
    category: 'files',
    group: 'files',
    source: 'built-in',
    enabled: true,
    listed: true,
    floor: 0,
    effect: 'pure',
    runs: 'executor',
    undo: null,
    use: { calls, failures, medianMs: null, lastAt: null, daily: [] },
  }
}

async function listed(): Promise<string> {
  const host = testHost({
    home,
    WebSocket: gateway.WebSocket,
    values: { NO_COLOR: '1', TERM: 'dumb' },
    clock: () => new Date('2026-08-01T12:00:00.000Z'),
  })
  const answer = await list(createContext(host, usualFlags), [], {})
  return stripVTControlCharacters(written(answer, false).output)
}

test('the list ends with what all of them were used for', async () => {
  tools = [tool('read_file', 12, 1), tool('write_file', 3, 2), tool('move_file', 0, 0)]
  expect(await listed()).toContain(
    '3 tools. In the last 30 days 2 of them were used, in 15 calls of which 3 failed.',
  )
  tools = [tool('read_file', 0, 0)]
  expect(await listed()).toContain('1 tool. None was used in the last 30 days.')
})
