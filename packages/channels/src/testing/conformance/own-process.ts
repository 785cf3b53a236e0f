/** Owns the case about the process of a channel: it works with a network and nothing else of this computer. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { FromChannel, type ToChannel } from '../../frame/protocol.ts'
import { encodeLine, readMessages } from '../../frame/wire.ts'
import type { Case } from './case.ts'
import { expect } from './expect.ts'
import type { Scene } from './scene.ts'

export function ownProcess(test: Case): void {
  test(['process', 'send'], 'works in a process of its own, and ends with the gateway', async (s) => {
    await s.gateway.stop()
    const started = begin(s)
    try {
      await works(s, started)
    } finally {
      started.child.kill('SIGKILL')
    }
  })
}

async function works(s: Scene, { child, heard, complaints }: Started): Promise<void> {
  const tell = (message: ToChannel) => child.stdin.write(encodeLine(message))
  const isThere = (type: FromChannel['type']) => () => {
    if (child.exitCode !== null) throw new Error(`It ended (${child.exitCode}): ${complaints.join('')}`)
    return heard.some((message) => message.type === type)
  }
  await s.until('the process to be up', isThere('up'))
  const { settings, secrets } = s.platform
  tell({ type: 'start', settings: { ...settings }, secrets: { ...secrets }, state: s.gateway.state })
  await s.until('it to be connected', isThere('connected'))
  const word = s.word()
  tell({ type: 'send', n: 1, message: s.message(s.chats.ana, word) })
  await s.until('it to say what became of it', isThere('done'))
  expect(heard.find((message) => message.type === 'done')).toMatchObject({ result: { kind: 'sent' } })
  await s.until('it to be shown', () => s.platform.shown(s.chats.ana).some(({ text }) => text === word))
  const ended = once(child, 'exit')
  child.stdin.end()
  expect(await ended).toEqual([0, null])
  expect(complaints.join('')).toBe('')
}

interface Started {
  readonly child: ChildProcessWithoutNullStreams
  readonly heard: readonly FromChannel[]
  readonly complaints: readonly string[]
}

/** As the gateway starts it. */
function begin(s: Scene): Started {
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
  const words = ['--permission', '--allow-fs-read=*', '--max-old-space-size=160', '--no-warnings', main]
  const child = spawn(process.execPath, [...words, s.manifest.kind], { env: {}, stdio: 'pipe' })
  const heard: FromChannel[] = []
  const complaints: string[] = []
  readMessages(child.stdout, {
    message(message) {
      const read = FromChannel.parse(message)
      heard.push(read)
      if (read.type === 'event' || read.type === 'keep')
        child.stdin.write(encodeLine({ type: 'taken', n: read.n } satisfies ToChannel))
    },
    broken: (problem) => complaints.push(problem.message),
  })
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()))
  return { child, heard, complaints }
}
