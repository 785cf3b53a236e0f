import { fork } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutorMessage } from '@countersign/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { openExecutor } from './executor.ts'
import { executorMainPath, startExecutor } from './index.ts'
import { createTestHost, sealTestPermit } from './testing/host.ts'

const host = createTestHost()
afterAll(() => host.remove())

const launch = async () => {
  const child = fork(executorMainPath, [JSON.stringify(host.options)], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  await new Promise<ExecutorMessage>((resolve) =>
    child.once('message', (message) => resolve(message as ExecutorMessage)),
  )
  return { child, exited }
}

describe('an executor whose gateway is gone', () => {
  it('ends what it began, records it, and leaves', async () => {
    const looker = await openExecutor(host.options)
    const command = 'touch begun; sleep 1; touch ended'
    const permit = await sealTestPermit(host, { tool: 'execute_shell', args: { command } }, looker.resolve)
    const { child, exited } = await launch()
    child.send({ type: 'world', ...host.world })
    child.send({ type: 'execute', id: 1, permits: [permit] })
    // It shows in the view of the command, and in the workspace only when it has ended.
    const view = () => globSync('sealed/*/calls/*/changes/begun', { cwd: dirname(host.options.replayFile) })
    while (view().length === 0) await sleep(10)
    child.disconnect()
    expect(existsSync(join(host.workspace, 'ended'))).toBe(false)
    expect(await exited).toBe(0)
    looker.setWorld(host.world)
    expect(await looker.execute(permit, new AbortController().signal)).toMatchObject({
      kind: 'done',
      result: { ok: true, next: { args: expect.stringContaining('ended') } },
    })
    await looker.close()
  })

  it('leaves at once when nothing is under way, and an interrupt does not end it', async () => {
    const { child, exited } = await launch()
    child.kill('SIGINT')
    await sleep(100)
    expect(child.exitCode).toBeNull()
    child.disconnect()
    expect(await exited).toBe(0)
  })
})

describe('an executor that cannot start', () => {
  it('says why to whoever starts it', async () => {
    const options = { ...host.options, trustFile: join(host.folder, 'missing.json') }
    await expect(startExecutor({ options, mainPath: executorMainPath })).rejects.toThrow('trust file')
  })
})
