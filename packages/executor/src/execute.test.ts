import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ToolResult } from '@countersign/contract'
import { builtinTools, createCatalogue } from '@countersign/tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from './executor.ts'
import type { ReplayStore } from './replay-store.ts'
import { createTestHost, sealTestPermit, type TestHost } from './testing/host.ts'

let host: TestHost
let executor: Executor
let laterMs: number
const { signal } = new AbortController()

beforeEach(async () => {
  host = createTestHost()
  laterMs = 0
  const clocks = { wall: () => Date.now() + laterMs, steady: () => performance.now() + laterMs }
  executor = await openExecutor(host.options, { clocks })
  executor.setWorld(host.world)
  writeFileSync(join(host.workspace, 'a.txt'), 'a')
})
afterEach(async () => {
  await executor.close()
  host.remove()
})

const write = () =>
  sealTestPermit(host, { tool: 'write_file', args: { path: 'a.txt', content: 'b' } }, executor.resolve)

describe('a permit that was used', () => {
  it('still gives its outcome when it would no longer hold', async () => {
    const permit = await write()
    const first = await executor.execute(permit, signal)
    expect(first).toMatchObject({ kind: 'done', result: { ok: true } })
    executor.setWorld({ policy: '0'.repeat(64), epoch: 9 })
    laterMs = 60 * 60_000
    expect(await executor.execute(permit, signal)).toEqual(first)
  })

  it('so long ago that its use is forgotten is unknown, not refused', async () => {
    const permit = await write()
    laterMs = 23 * 3_600_000
    expect(await executor.execute(permit, signal)).toMatchObject({ kind: 'refused' })
    laterMs = 25 * 3_600_000
    expect(await executor.execute(permit, signal)).toMatchObject({ kind: 'unknown' })
  })

  it('is unknown while the memory cannot be read', async () => {
    const permit = await write()
    const other = new DatabaseSync(host.options.replayFile)
    other.exec('DROP TABLE permit_use')
    other.close()
    expect(await executor.execute(permit, signal)).toMatchObject({ kind: 'unknown' })
  })
})

describe('a permit that is cancelled', () => {
  it('before it begins does nothing and can be used later', async () => {
    const permit = await write()
    expect(await executor.execute(permit, AbortSignal.abort())).toMatchObject({ kind: 'refused' })
    expect(await executor.execute(permit, signal)).toMatchObject({ kind: 'done' })
  })
})

describe('an effect whose end nobody saw', () => {
  const startedAt = '2026-01-01T00:00:00.000Z'
  const probing = (end: ToolResult | undefined) =>
    builtinTools.map((tool) => (tool.name === 'write_file' ? { ...tool, probe: async () => end } : tool))

  async function askedAgain(end: ToolResult | undefined, earlier: ReplayStore['earlier']) {
    const finished: unknown[] = []
    const replay: ReplayStore = {
      keepMs: 1,
      earlier,
      begin: () => Promise.reject(new Error('it must not begin')),
      finish: async (_nonce, reply) => void finished.push(reply),
      close: () => undefined,
    }
    const catalogue = createCatalogue(probing(end))
    const permit = await sealTestPermit({ ...host, catalogue }, wish, executor.resolve)
    const other = await openExecutor(host.options, { catalogue, replay })
    other.setWorld(host.world)
    const reply = await other.execute(permit, signal)
    await other.close()
    return { reply, finished }
  }

  const wish = { tool: 'write_file', args: { path: 'a.txt', content: 'b' } }
  const unseen = async () => ({ kind: 'unknown' as const, startedAt })
  const done: ToolResult = { ok: true, text: 'It was done.', summary: 'done', undo: null }

  it('is asked about of the tool, and its answer is kept', async () => {
    const { reply, finished } = await askedAgain(done, unseen)
    expect(reply).toMatchObject({ kind: 'done', startedAt, result: done })
    expect(finished).toHaveLength(1)
  })

  it('is unknown where the tool itself cannot tell, and is asked about again later', async () => {
    const unsure: ToolResult = { ok: false, text: 'Nobody heard.', summary: 'x', undo: null, unsure: true }
    let end: ToolResult | undefined
    const tools = builtinTools.map((tool) =>
      tool.name === 'write_file' && tool.runs === 'executor'
        ? { ...tool, run: async () => unsure, probe: async () => end }
        : tool,
    )
    const catalogue = createCatalogue(tools)
    const permit = await sealTestPermit({ ...host, catalogue }, wish, executor.resolve)
    const other = await openExecutor(host.options, { catalogue })
    other.setWorld(host.world)
    const first = await other.execute(permit, signal)
    expect(first).toMatchObject({ kind: 'unknown', reason: 'Nobody heard.' })
    expect(await other.execute(permit, signal)).toEqual(first)
    end = done
    expect(await other.execute(permit, signal)).toMatchObject({ kind: 'done', result: done })
    await other.close()
  })

  it('stays unknown when the tool cannot tell, or when the memory cannot be read', async () => {
    expect((await askedAgain(undefined, unseen)).reply).toEqual({ kind: 'unknown', startedAt })
    const broken = await askedAgain(done, () => Promise.reject(new Error('broken')))
    expect(broken.reply).toMatchObject({ kind: 'unknown' })
    expect(broken.finished).toEqual([])
  })
})
