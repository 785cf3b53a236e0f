/** Starts a scripted model server from the command line: `--port N --script rules.json`. */

import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parseRules, scriptFromRules } from './rules.ts'
import { startModelServer } from './server.ts'

const { values } = parseArgs({ options: { port: { type: 'string' }, script: { type: 'string' } } })
const rules = values.script === undefined ? [] : parseRules(JSON.parse(await readFile(values.script, 'utf8')))
const server = await startModelServer({ script: scriptFromRules(rules), port: Number(values.port ?? 0) })
console.log(`The scripted model server listens on ${server.url}/v1`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
