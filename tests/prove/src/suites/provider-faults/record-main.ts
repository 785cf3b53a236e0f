/** Makes the recordings again: asks the scripted servers as the product would, and keeps what they send, byte for byte. */
import { writeFile } from 'node:fs/promises'
import { startModelServer } from '@countersign/model-servers'
import { createModel } from '../../../../../packages/models/src/calls/model.ts'
import { recordingAt } from './recordings.ts'
import { configOf, protocolOf, replyOf, request, scenarios } from './scenarios.ts'

for (const scenario of scenarios) {
  const server = await startModelServer({ script: () => replyOf(scenario) })
  let bytes = new Uint8Array()
  const config = configOf(scenario.kind, server.baseUrl(protocolOf(scenario.kind)), 5_000)
  const model = createModel({
    ...config,
    async fetch(input, init) {
      const response = await fetch(input, init)
      bytes = new Uint8Array(await response.clone().arrayBuffer())
      return response
    },
  })
  for await (const chunk of model.stream(request, new AbortController().signal)) {
    if (chunk.type === 'failed') throw new Error(`${scenario.name}: ${chunk.failure.message}`)
  }
  await writeFile(recordingAt(scenario), bytes)
  console.log(`${scenario.name}: ${bytes.length} bytes`)
  await server.close()
}
