/** An adapter that was taken over has its state kept again and again, faster than it can be: the gateway holds all of it. */
import { fileURLToPath } from 'node:url'
import { ownChild } from '../../../../../../packages/gateway/src/channels/channel-child.ts'
import { startChannelProcess } from '../../../../../../packages/gateway/src/channels/channel-process.ts'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import type { Stage } from '../stage.ts'

const mainPath = fileURLToPath(
  new URL('../../../../../../packages/gateway/src/channels/testing/hostile-channel.ts', import.meta.url),
)
const patienceMs = 10_000

export const attack: Attack = {
  name: 'channel-keeps-without-end',
  promise: 'A channel that does not wait for what it gave is ended, whatever it gave.',
  mutant: 'channels-keep-without-end',
  async run(stage) {
    const [hostile, honest] = [start(stage, 'keeps'), start(stage, 'connects')]
    const isConnected = await until(() => honest.channel.standing().state === 'connected', patienceMs)
    const isEnded = await until(() => hostile.problems.length > 0, patienceMs)
    return {
      open: !isEnded,
      control: isConnected && honest.problems.length === 0,
      saw: isEnded ? 'it was ended' : 'the gateway took all that it gave',
    }
  },
}

function start(stage: Stage, kind: string) {
  const problems: unknown[] = []
  const channel = startChannelProcess({
    kind,
    open: () => ownChild(mainPath, kind),
    start: () => Promise.resolve({ settings: {}, secrets: {}, state: null }),
    take: () => Promise.resolve(),
    // The database is slow.
    keep: () => new Promise(() => undefined),
    stands: () => undefined,
    connected: () => undefined,
    redact: (text) => text,
    onProblem: (problem) => problems.push(problem),
  })
  stage.afterwards(() => channel.close())
  return { channel, problems }
}
