/** A gateway that was taken over shows another list than the one that is held. */
import { randomUUIDv7 } from 'node:crypto'
import { idFrom, type JsonObject } from '@countersign/contract'
import { sealTestPermit } from '../../../../../../packages/executor/src/testing/host.ts'
import type { Attack } from '../attack.ts'
import { openLoneExecutor } from '../lone-executor.ts'

export const attack: Attack = {
  name: 'held-shown-otherwise',
  promise: 'The list on the card is what the program changed, to the byte.',
  mutant: 'held-list-unread',
  async run(stage) {
    const { host, resolve, replyTo, isThere } = await openLoneExecutor(stage)
    const tried = async (file: string, change: (text: string) => string) => {
      const run = idFrom('run', randomUUIDv7())
      const command = { tool: 'execute_shell', args: { command: `echo done > ${file}` }, run }
      const ran = await replyTo(await sealTestPermit(host, command, resolve))
      const next = ran.kind === 'done' ? ran.result.next : undefined
      if (!next) throw new Error('Nothing is held.')
      const args = JSON.parse(change(next.args)) as JsonObject
      const wish = { tool: next.tool, args, run }
      const permit = await sealTestPermit(host, wish, resolve).catch((error: Error) => error.message)
      return typeof permit === 'string' ? permit : (await replyTo(permit)).kind
    }
    await tried('shown.txt', (text) => text)
    const saw = await tried('hidden.txt', (text) => text.replaceAll('hidden.txt', 'harmless.txt'))
    return { open: isThere('hidden.txt'), control: isThere('shown.txt'), saw }
  },
}
