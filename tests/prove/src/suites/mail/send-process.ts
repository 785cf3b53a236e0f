/** An executor of its own that uses one permit and prints what came of it. Killed by who started it, or not. */
import { readFileSync } from 'node:fs'
import { ExecutorOptions, openExecutor } from '../../../../../packages/executor/src/executor.ts'

const [, , file = ''] = process.argv
const { options, world, permit } = JSON.parse(readFileSync(file, 'utf8'))
const executor = await openExecutor(ExecutorOptions.parse(options))
executor.setWorld(world)
const reply = await executor.execute(permit, new AbortController().signal)
process.stdout.write(JSON.stringify(reply))
process.exit()
