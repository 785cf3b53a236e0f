import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { verifyLedger } from '@countersign/verify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser, lastResults }) => {
      if (lastResults.length > 0) return { text: `Done: ${lastResults.at(-1)?.text}` }
      if (lastUser.includes('note'))
        return { calls: [{ name: 'write_file', args: { path: 'note.txt', content: 'milk\n' } }] }
      if (lastUser.includes('list'))
        return { calls: [{ name: 'use_tool', args: { tool: 'list_directory', args: {} } }] }
      if (lastUser.includes('shell')) {
        return {
          text: 'I will log it.',
          calls: [
            {
              name: 'execute_shell',
              args: { command: 'echo once >> effects.log; ln -s /etc/hostname door' },
            },
          ],
        }
      }
      return { text: `You said: ${lastUser}` }
    },
  })
  gateway = await installation.start()
})
afterAll(() => installation.close())

const say = (text: string) =>
  gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
const runOf = async (text: string) => (await say(text)).run ?? ''
const inWorkspace = (name: string) => join(installation.paths.workspace, name)

describe('one message through the whole installation', () => {
  test('gets a reply', async () => {
    const { run } = await settledRun(gateway.client, await runOf('hello'))
    expect(run).toMatchObject({ reason: 'completed', text: 'You said: hello' })
  })

  test('writes a file at T1 without asking and takes it back', async () => {
    const id = await runOf('make a note')
    const { calls } = await settledRun(gateway.client, id)
    expect(calls).toMatchObject([{ tool: 'write_file', tier: 1, outcome: 'ok', undoable: true }])
    expect(readFileSync(inWorkspace('note.txt'), 'utf8')).toBe('milk\n')

    const undo = await gateway.client.undoRun(id)
    const undone = await settledRun(gateway.client, undo.run)
    expect(undone.run).toMatchObject({ kind: 'undo', reason: 'completed' })
    expect(existsSync(inWorkspace('note.txt'))).toBe(false)
    await expect(gateway.client.undoRun(id)).rejects.toMatchObject({ code: 'usage' })
  })

  test('judges the call inside a meta-tool, not the meta-tool', async () => {
    const { calls } = await settledRun(gateway.client, await runOf('list the files'))
    expect(calls).toMatchObject([{ tool: 'list_directory', tier: 0, outcome: 'ok' }])
  })

  test('parks a T3 call, keeps it through kill -9, runs it once after a sealed approval', async () => {
    const id = await runOf('use the shell')
    const parked = await settledRun(gateway.client, id, 'parked')
    expect(parked.run.parkedOn).toBe('approval')
    expect(existsSync(inWorkspace('effects.log'))).toBe(false)
    const [waiting] = parked.approvals

    await gateway.kill()
    gateway = await installation.start()
    const [kept] = await gateway.client.approvals({ state: 'pending' })
    expect(kept).toMatchObject({ id: waiting?.id, digest: waiting?.digest, code: waiting?.code })

    await approve(installation, gateway.client, kept?.code ?? '')
    const { run, calls } = await settledRun(gateway.client, id)
    expect(run.reason).toBe('completed')
    expect(calls).toMatchObject([
      { tool: 'execute_shell', tier: 0, outcome: 'ok' },
      { tool: 'take_over_changes', tier: 3, outcome: 'ok' },
    ])
    expect(readFileSync(inWorkspace('effects.log'), 'utf8')).toBe('once\n')

    const { chain } = await gateway.client.why(waiting?.code ?? '')
    // What a program changed is judged without a proposal of the model's.
    const links = ['effect', 'permit', 'approval', 'decision', 'run', 'message', 'person']
    expect(chain.map((link) => link.what)).toEqual(links)
    const numbers = chain.flatMap((link) =>
      link.ledger === null || link.what === 'run' ? [] : [link.ledger],
    )
    expect(numbers).toEqual(numbers.toSorted((left, right) => right - left))
  })

  test('explains the effect back to the person, with ledger numbers', async () => {
    const { chain } = await gateway.client.why('file:note.txt')
    expect(chain.map((link) => link.what)).toEqual([
      'effect',
      'permit',
      'decision',
      'run',
      'message',
      'person',
    ])
    expect(chain.slice(0, -1).every((link) => link.ledger !== null)).toBe(true)
  })

  test('proves itself: the ledger verifies inside and outside', async () => {
    expect(await gateway.client.verifyLedger()).toMatchObject({ ok: true, problem: null })
    const text = await new Response(await gateway.client.exportLedger()).text()
    const report = await verifyLedger(text.split('\n').slice(0, -1))
    expect(report).toMatchObject({ ok: true })
    expect(text).not.toContain('sk-test-0123456789abcdef')
  })
})
