/** The adapter of a channel was taken over where there is no bubblewrap, and signals its neighbours, which opens their debugger. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Attack } from '../attack.ts'
import type { Stage } from '../stage.ts'

const channel = fileURLToPath(new URL('../../../../../../packages/channels/src/main.ts', import.meta.url))
const hostile = new URL('../taken-over-adapter.ts', import.meta.url).href
const patienceMs = 10_000

export const attack: Attack = {
  name: 'channel-opens-a-debugger',
  promise: 'The process of a channel signals no other process, also where nothing but Node confines it.',
  mutant: 'channels-signal-others',
  async run(stage) {
    const victim = await openVictim(stage)
    const permissions = ['--permission', '--allow-fs-read=*', '--no-warnings']
    const adapter = spawn(
      process.execPath,
      [...permissions, ...stage.nodeArguments, '--import', hostile, channel, 'ntfy'],
      { env: { VICTIM: String(victim.pid) }, stdio: ['pipe', 'pipe', 'pipe'] },
    )
    stage.afterwards(() => adapter.kill('SIGKILL'))
    const tried = await said(adapter, 'stdout', 'tried')
    // Node opens it in a thread of its own.
    const isOpen = await said(victim, 'stderr', 'Debugger listening', 2_000)
    const control = isOpen || (await signalled(victim))
    return {
      open: isOpen,
      control: tried && control,
      saw: isOpen ? 'the debugger of another process was opened' : 'nobody was signalled',
    }
  },
}

async function openVictim(stage: Stage): Promise<ChildProcess> {
  const victim = spawn(
    process.execPath,
    ['--inspect-port=0', '-e', 'setInterval(() => 0, 1e6); console.log("up")'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  stage.afterwards(() => victim.kill('SIGKILL'))
  if (!(await said(victim, 'stdout', 'up'))) throw new Error('The neighbour did not start.')
  return victim
}

/** Whoever is let signal opens it. */
async function signalled(victim: ChildProcess): Promise<boolean> {
  const opened = said(victim, 'stderr', 'Debugger listening')
  victim.kill('SIGUSR1')
  return opened
}

async function said(
  child: ChildProcess,
  stream: 'stdout' | 'stderr',
  words: string,
  patience = patienceMs,
): Promise<boolean> {
  let text = ''
  const { promise, resolve } = Promise.withResolvers<boolean>()
  child[stream]?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    if (text.includes(words)) resolve(true)
  })
  return Promise.race([
    promise,
    once(child, 'exit').then(() => text.includes(words)),
    sleep(patience).then(() => false),
  ])
}
