import { expect, test } from 'vitest'
import { callDirectly, type DirectPorts, undoDirectly } from './direct-call.ts'

/** A gateway whose run is in each of these states in turn. */
function portsWith(...states: readonly object[]) {
  const left = [...states]
  const asked: unknown[] = []
  const ports = {
    client: {
      callTool: async (...given: unknown[]) => {
        asked.push(given)
        return { run: 'run_1' }
      },
      undoRun: async (...given: unknown[]) => {
        asked.push(given)
        return { run: 'run_2' }
      },
      run: async (id: string) => ({ calls: [], approvals: [], ...left.shift(), id }),
    },
    wait: async () => undefined,
    tooLong: 'too long',
  } as unknown as DirectPorts
  return { ports, asked }
}
const running = { run: { state: 'running' } }
const done = { run: { id: 'run_1', state: 'stopped', reason: 'completed' }, calls: [{ undoable: true }] }

test('waits until the call is over, and says whether it can be taken back', async () => {
  const { ports, asked } = portsWith(running, running, done)
  expect(await callDirectly(ports, 'add_note', { title: 'A' })).toEqual({
    kind: 'done',
    run: 'run_1',
    undoable: true,
  })
  expect(asked).toEqual([['add_note', '{"title":"A"}']])
})

test('says what waits for an approval, and throws what went wrong', async () => {
  const parked = { run: { state: 'parked' }, approvals: [{ state: 'pending', code: 'K7Q2' }] }
  expect(await callDirectly(portsWith(parked).ports, 'x', {})).toEqual({ kind: 'waits', code: 'K7Q2' })
  const failed = { run: { state: 'stopped', reason: 'error', message: 'Could not be done: no.' } }
  await expect(callDirectly(portsWith(failed).ports, 'x', {})).rejects.toThrow('Could not be done: no.')
})

test('takes back a run, and waits for that too', async () => {
  const { ports, asked } = portsWith(running, done)
  expect(await undoDirectly(ports, 'run_1', ['call_1'])).toMatchObject({ kind: 'done' })
  expect(asked).toEqual([['run_1', ['call_1']]])
})
