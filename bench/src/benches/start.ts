/**
 * How long a person waits for the program itself: `up` the first time and again, `status` with and without a gateway, and
 * a completion script. A bare `node -e 0` takes its turn beside each, because that much no program of ours can save.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homePaths, sha256Hex } from '@countersign/contract/node'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { openProduct, runProgram } from '../product.ts'
import { median, rounded } from '../sample.ts'

export const start: Bench = {
  name: 'start',
  about:
    '`countersign up` to healthy, first and warm, and `status` and `completion` beside a bare `node -e 0`',
  run: measure,
}

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const size = small ? { homes: 1, starts: 2, looks: 4 } : { homes: 3, starts: 5, looks: 5 }
  const product = await openProduct()
  note(`start: measures ${product.from}`)
  const first: number[] = []
  const warm: number[] = []
  const up: number[] = []
  const down: number[] = []
  const completion: number[] = []
  const bare: number[] = []
  try {
    for (let home = 0; home < size.homes; home += 1) {
      const host = createHost(product.command)
      try {
        first.push(await host.run('up', 'ok'))
        await host.run('down', 'ok')
        for (let index = 0; index < size.starts; index += 1) {
          warm.push(await host.run('up', 'ok'))
          for (let look = 0; look < size.looks; look += 1) {
            bare.push(await host.bare())
            up.push(await host.run('status', 'ok'))
            completion.push(await host.run('completion', 'ok', ['bash']))
          }
          await host.run('down', 'ok')
          for (let look = 0; look < size.looks; look += 1)
            down.push(await host.run('status', 'gateway_unreachable'))
        }
      } finally {
        await host.close()
      }
    }
  } finally {
    product.close()
  }
  const goal = (name: string, values: readonly number[], atMost: number) =>
    ({ name, value: median(values), kind: 'time', limit: { atMost } }) as const
  const goals = [
    goal('firstUpMs', first, 5_000),
    goal('warmUpMs', warm, 2_000),
    goal('statusUpMs', up, 150),
    goal('statusDownMs', down, 150),
    goal('completionMs', completion, 150),
  ]
  const floor = median(bare)
  return {
    figures: {
      from: product.from,
      ...Object.fromEntries(goals.map(({ name, value }) => [name, rounded(value)])),
      bareNodeMs: rounded(floor),
      statusToBareNode: rounded(median(up) / floor),
      completionToBareNode: rounded(median(completion) / floor),
    },
    goals,
  }
}

/** A home of its own and the command in it. */
function createHost(command: string) {
  const home = mkdtempSync(join(tmpdir(), 'countersign-start-'))
  const environment = { COUNTERSIGN_HOME: home, COUNTERSIGN_PORT: '0' }
  const call = (name: string, args: readonly string[] = []) =>
    runProgram(process.execPath, [command, name, ...args, '--json'], { environment })
  return {
    /** Milliseconds, once the answer is the one expected. */
    async run(
      name: string,
      expected: 'ok' | 'gateway_unreachable',
      args: readonly string[] = [],
    ): Promise<number> {
      const { code, output, errors, ms } = await call(name, args)
      const good = expected === 'ok' ? code === 0 : code !== 0 && output.includes(`"${expected}"`)
      if (!good) throw new Error(`\`${name}\` ended with ${code}: ${output}${errors}`)
      return ms
    },
    /** The runtime alone, which does nothing. */
    async bare(): Promise<number> {
      return (await runProgram(process.execPath, ['-e', '0'], { environment })).ms
    },
    async close(): Promise<void> {
      await call('down')
      const { database } = homePaths({ COUNTERSIGN_HOME: home }, process.platform)
      rmSync(home, { recursive: true, force: true })
      // Under root the launcher may keep the data here, in a folder named after the home.
      rmSync(join('/var/lib/countersign', sha256Hex(database).slice(0, 16)), { recursive: true, force: true })
    },
  }
}
