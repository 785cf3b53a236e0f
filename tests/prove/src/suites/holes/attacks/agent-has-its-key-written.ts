/** A coding agent writes the handle of its key into the address of a request, so that the key is put in there. */
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ApprovalSubject, type CodingAgent, secretHandle, type UrlResource } from '@countersign/contract'
import { webCapabilities } from '../../../../../../packages/executor/src/capabilities/web.ts'
import { createModelDoor } from '../../../../../../packages/executor/src/coding-agents/model-door.ts'
import { createEgress, defaultEgressLimits } from '../../../../../../packages/executor/src/egress/egress.ts'
import type { Attack } from '../attack.ts'
import type { Stage } from '../stage.ts'

const value = 'key-5b1c77f0a2e9'
const handle = secretHandle('model.key')

export const attack: Attack = {
  name: 'agent-has-its-key-written',
  promise:
    'The key of a coding agent goes into the header that we write, and nowhere else that the agent chooses.',
  mutant: 'agents-place-their-key',
  async run(stage) {
    const seen: { url: string; key: string | undefined }[] = []
    const service = createHttpServer((request, response) => {
      seen.push({ url: request.url ?? '', key: request.headers.authorization })
      response.setHeader('content-type', 'application/json')
      response.end('{}')
    })
    const door = await openDoor(stage, await listening(stage, service))
    await post(door, `/v1/chat?note=${handle}`)
    await post(door, `/v1/${handle}/chat`)
    return {
      open: seen.some(({ url }) => url.includes(value)),
      control: seen.length === 2 && seen.every(({ key }) => key === `Bearer ${value}`),
      saw: seen.map(({ url }) => url).join(' '),
    }
  },
}

/** The door as the sandbox of an agent has it, with the real way out behind it. */
async function openDoor(stage: Stage, port: number): Promise<number> {
  const agent: CodingAgent = {
    command: ['agent'],
    endpoint: `http://127.0.0.1:${port}/v1`,
    protocol: 'openai',
    key: 'model.key',
    model: 'small',
  }
  const resource: UrlResource = {
    type: 'url',
    scheme: 'http',
    host: '127.0.0.1',
    port,
    method: 'POST',
    addressClass: 'loopback',
    redirects: 'refused',
    carries: 'more',
  }
  const subject = { resources: [resource], secrets: ['model.key'] } as unknown as ApprovalSubject
  const allow = { ports: [], allowPrivate: [{ host: '127.0.0.1', port }] }
  const door = createModelDoor({
    agent,
    web: webCapabilities(subject, {
      egress: createEgress({ allow, limits: defaultEgressLimits }),
      secrets: { value: () => value },
    }),
    maxTurns: 5,
    maxBudgetUsd: 1,
    mask: (said) => said,
    onSpent: () => undefined,
    signal: new AbortController().signal,
  })
  const listener = createServer()
  const inside = await listening(stage, listener)
  const { close } = await door.serve(listener)
  stage.afterwards(close)
  return inside
}

async function listening(stage: Stage, server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  stage.afterwards(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Byte for byte, as no client would write the address by itself. */
async function post(port: number, path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`)
  return text(socket)
}
