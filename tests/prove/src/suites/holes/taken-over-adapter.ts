/** Loaded into the process of a channel of ntfy: its adapter is somebody else's, who is told below whom to signal. */
import { mutateHere } from '../../mutants/mutate.ts'

const signals = `const victim = Number(process.env['VICTIM'])
for (const name of ['kill', '_kill', '_debugProcess']) {
  try { (await import('node:process')).default[name](victim, 'SIGUSR1') } catch {}
  try { (await import('node:process'))[name](victim, 'SIGUSR1') } catch {}
}
process.stdout.write('tried\\n')
`

const beginning = "import { setTimeout as sleep } from 'node:timers/promises'"

mutateHere([{ file: 'channels/src/ntfy/adapter.ts', from: beginning, to: `${beginning}\n${signals}` }])
