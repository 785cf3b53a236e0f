import { expect, test } from 'vitest'
import { type AnotherModelPorts, answerByAnother } from './another-model.ts'

function portsWith(states: string[]) {
  const done: string[] = []
  const client = {
    stopRun: async () => void done.push('stop'),
    run: async () => ({ run: { state: states.shift() ?? 'running' } }),
    retryRun: async (_: string, { model }: { model: string }) => void done.push(`retry with ${model}`),
  }
  const ports = { client, wait: async () => void done.push('wait'), stillRuns: 'It still runs.' }
  return { done, ports: ports as unknown as AnotherModelPorts }
}

test('the message is sent once more when the run is over, and not before', async () => {
  const { done, ports } = portsWith(['running', 'running', 'stopped'])
  await answerByAnother(ports, 'run_1', 'lab/quick')
  expect(done).toEqual(['stop', 'wait', 'wait', 'retry with lab/quick'])
})

test('a run that does not end is told, and nothing is sent', async () => {
  const { done, ports } = portsWith([])
  await expect(answerByAnother(ports, 'run_1', 'lab/quick')).rejects.toThrow('It still runs.')
  expect(done.filter((each) => each.startsWith('retry'))).toEqual([])
})
