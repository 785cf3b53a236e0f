import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { proofHeader } from '@countersign/contract'
import { getRequestListener } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addProofs, createProver } from './proof.ts'
import type { Env } from './route.ts'

const app = new OpenAPIHono<Env>()
let port = 0
addProofs(app, createProver({ gateway: 'gw_one', sign: () => 'signed', port: () => port, publicOrigins: [] }))
app.get('/v1/health', (context) => context.json({ ok: true }))
const answer = getRequestListener(app.fetch)
const server = createServer((asked, answered) => void answer(asked, answered))

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

async function answerTo(host: string) {
  const headers = { host, 'countersign-nonce': 'a'.repeat(32) }
  const asked = request({ host: '127.0.0.1', port, path: '/v1/health', headers }).end()
  const [answer] = await once(asked, 'response')
  answer.resume()
  return { status: answer.statusCode, proof: answer.headers[proofHeader] }
}

it('signs an answer that it is asked to prove', async () => {
  expect(await answerTo(`127.0.0.1:${port}`)).toEqual({ status: 200, proof: 'signed' })
})

it.each(['127.0_.0.1', '127.0.0.1127.0.0.1', '127.0.p0.1'])(
  'does not fail over the host %s',
  async (host) => {
    expect(await answerTo(`${host}:${port}`)).toEqual({ status: 200, proof: undefined })
  },
)
