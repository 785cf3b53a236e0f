/** The process of a channel that somebody has taken over: `hostile-channel.ts <what it does>`. */

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const say = (message: unknown) => process.stdout.write(`${JSON.stringify(message)}\n`)

/** What becomes of it: nothing where it was let, else its code. */
function outcome(act: () => unknown): string {
  try {
    act()
    return 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed'
  }
}

const event = (id: number) => ({
  type: 'message',
  id: String(id),
  chat: { id: 'c', kind: 'private', title: '' },
  at: new Date(0).toISOString(),
  sender: { id: 's', name: '', proven: true, bot: false },
  text: 'x',
  thread: null,
  addressed: true,
  forwarded: false,
  files: [],
})

function looks(start: { readonly settings: { readonly secret: string } }): void {
  say({
    type: 'disconnected',
    problem: JSON.stringify({
      secret: outcome(() => readFileSync(start.settings.secret)),
      environment: outcome(() => readFileSync(`/proc/${process.ppid}/environ`)),
      passwords: outcome(() => readFileSync('/etc/passwd')),
      write: outcome(() => writeFileSync('/tmp/left-behind', 'x')),
      program: outcome(() => spawnSync('/bin/true')),
      // The folder that it is in, which bubblewrap tells.
      own: Object.keys(process.env).toSorted(),
      ids: process.getuid?.(),
    }),
  })
}

process.stdin.on('data', (chunk: Buffer) => {
  const message = JSON.parse(chunk.toString().split('\n')[0] ?? '') as {
    type: string
    settings: { secret: string }
  }
  if (message.type === 'start' && process.argv[2] === 'looks') looks(message)
  if (message.type === 'start' && process.argv[2] === 'connects')
    say({ type: 'connected', account: { id: 'a', name: 'a' } })
})
process.stdin.on('data', (chunk: Buffer) => {
  if (chunk.includes('"stop"')) process.exit(0)
})
process.stdin.on('close', () => process.exit(0))

switch (process.argv[2]) {
  case 'rubbish':
    for (let count = 0; count < 100; count += 1)
      process.stdout.write(`\u0000\u0001{"type":"none","n":${count}}\n`)
    break
  case 'floods':
    for (let count = 0; count < 2_000; count += 1) say({ type: 'event', n: count, event: event(count) })
    break
  case 'keeps':
    for (let count = 0; count < 200; count += 1) say({ type: 'keep', n: count, state: 'x'.repeat(100_000) })
    break
  case 'answers':
    for (let count = 0; count < 200; count += 1)
      say({ type: 'fetched', n: count, result: { kind: 'failed', problem: 'x' } })
    break
  default:
    say({ type: 'up' })
}
setInterval(() => undefined, 1_000)
