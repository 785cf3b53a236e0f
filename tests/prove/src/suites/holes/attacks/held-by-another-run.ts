/** A gateway that was taken over has one run take over what the program of another changed. */
import { randomUUIDv7 } from 'node:crypto'
import { idFrom, type JsonObject } from '@countersign/contract'
import { sealTestPermit } from '../../../../../../packages/executor/src/testing/host.ts'
import type { Attack } from '../attack.ts'
import { openLoneExecutor } from '../lone-executor.ts'

export const attack: Attack = {
  name: 'held-by-another-run',
  promise: 'What is held is taken over for the run whose program made it, and for no other.',
  mutant: 'held-for-anybody',
  async run(stage) {
    const { host, resolve, replyTo, isThere } = await openLoneExecutor(stage)
    const tried = async (file: string, own: boolean) => {
      const run = idFrom('run', randomUUIDv7())
      const command = { tool: 'execute_shell', args: { command: `echo done > ${file}` }, run }
      const ran = await replyTo(await sealTestPermit(host, command, resolve))
      const next = ran.kind === 'done' ? ran.result.next : undefined
      if (!next) throw new Error('Nothing is held.')
      const taker = own ? run : idFrom('run', randomUUIDv7())
      const wish = { tool: next.tool, args: JSON.parse(next.args) as JsonObject, run: taker }
      const taken = await replyTo(await sealTestPermit(host, wish, resolve))
      return taken.kind === 'done' ? taken.result.text : taken.kind
    }
    await tried('own.txt', true)
    const saw = await tried('theirs.txt', false)
    return { open: isThere('theirs.txt'), control: isThere('own.txt'), saw }
  },
}
