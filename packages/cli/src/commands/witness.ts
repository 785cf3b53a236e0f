/** `countersign witness serve`: a witness that anybody may run, for the ledgers of others. It needs no gateway. */
import { once } from 'node:events'
import { join } from 'node:path'
import { CountersignError, isKeyName, vkeyFor } from '@countersign/contract'
import { openLogWitness } from '@countersign/contract/log-witness'
import { nodeWitnessMeans, readOrCreateKey } from '@countersign/contract/node'
import type { Handler } from '../context.ts'
import { ended } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { createWitnessServer } from '../witness-server.ts'

const usualAddress = '127.0.0.1:7781'

export const serve: Handler = async (context, _args, options) => {
  const name = textOf(options['name'])
  const logs = (textOf(options['log']) ?? '').split('\0').filter((key) => key !== '')
  const listen = textOf(options['listen']) ?? usualAddress
  const at = /^(.+):(\d{1,5})$/.exec(listen)
  if (name === undefined || !isKeyName(name))
    return usage('Name the witness with --name, such as witness.example.org.', 'witness serve')
  if (logs.length === 0) return usage('Name at least one log with --log.', 'witness serve')
  if (at === null || Number(at[2]) > 65_535)
    return usage('--listen is an address and a port, such as 127.0.0.1:7781.', 'witness serve')
  const folder = textOf(options['folder']) ?? join((await context.paths()).data, 'witness')
  const key = readOrCreateKey(join(folder, 'witness.key'))
  const file = join(folder, 'seen.sqlite')
  const witness = openLogWitness({ file, name, key, logs, now: context.host.clock })
  const server = createWitnessServer(witness, (error) =>
    context.note(error instanceof Error ? line(error.message) : String(error)),
  )
  const over = new AbortController()
  const end = () => over.abort()
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  const timer = context.flags.waitMs === undefined ? undefined : setTimeout(end, context.flags.waitMs)
  try {
    server.listen(Number(at[2]), at[1]?.replace(/^\[|\]$/g, ''))
    await Promise.race([
      once(server, 'listening'),
      once(server, 'error').then(([error]) => {
        throw new CountersignError('conflict', `Nothing can listen at ${listen}.`, {
          cause: error,
          next: 'Choose another address with --listen.',
        })
      }),
    ])
    const vkey = await vkeyFor({ name, raw: key.publicKey, signs: 'cosignatures' }, nodeWitnessMeans)
    const place = server.address()
    const port = typeof place === 'object' && place !== null ? place.port : at[2]
    if (context.flags.json)
      context.host.output.write(
        `${JSON.stringify({ ok: true, listen: `${at[1]}:${port}`, key: vkey, logs })}\n`,
      )
    else context.say(`Witness at http://${at[1]}:${port}/add-checkpoint\nKey ${vkey}`)
    if (!over.signal.aborted) await once(over.signal, 'abort')
    return ended(0)
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
    server.close()
    server.closeAllConnections()
    witness.close()
  }
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
