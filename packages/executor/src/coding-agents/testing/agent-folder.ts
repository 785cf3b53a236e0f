/** Puts the scripted agent and what it needs into a folder, as an operator would install one. For tests only. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CodingAgent } from '@countersign/contract'

/** Gives what an operator would say of it. It does what the model at the endpoint tells it, by calls of `sh`. */
export function installScriptedAgent(folder: string, endpoint: string): CodingAgent {
  const packages = join(folder, 'node_modules')
  mkdirSync(packages, { recursive: true })
  cpSync(packageFolder('@agentclientprotocol/sdk'), join(folder, 'sdk'), {
    recursive: true,
    dereference: true,
  })
  cpSync(packageFolder('zod'), join(packages, 'zod'), { recursive: true, dereference: true })
  cpSync(join(import.meta.dirname, 'scripted-agent.mjs'), join(folder, 'agent.mjs'))
  writeFileSync(join(folder, 'start'), '#!/bin/sh\nexec /opt/node/bin/node /opt/agent/agent.mjs\n', {
    mode: 0o755,
  })
  return { command: ['/opt/agent/start'], folder, endpoint, protocol: 'openai', model: 'small' }
}

function packageFolder(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.resolve(name)))
  while (!folder.endsWith(`/node_modules/${name}`)) folder = dirname(folder)
  return folder
}
