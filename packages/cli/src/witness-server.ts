/** Owns the HTTP side of a witness: one route, small requests, bounded in time. The rest is `contract/log-witness`. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { largestAddCheckpoint } from '@countersign/contract'
import type { LogWitness } from '@countersign/contract/log-witness'

const requestMs = 10_000
const mostConnections = 200

export function createWitnessServer(
  witness: Pick<LogWitness, 'addCheckpoint'>,
  onProblem: (error: unknown) => void,
): Server {
  const server = createServer((request, response) => {
    const send = (status: number, body: string, type = 'text/plain; charset=utf-8') => {
      // What was not read is not waited for.
      if (!request.complete) response.setHeader('connection', 'close')
      response.writeHead(status, { 'content-type': type }).end(body)
    }
    if (request.url !== '/add-checkpoint') return send(404, 'There is only /add-checkpoint here.\n')
    if (request.method !== 'POST') return send(405, 'Checkpoints are sent with POST.\n')
    bodyOf(request)
      .then(async (body) => {
        if (body === undefined)
          return send(413, `A request has ${largestAddCheckpoint} bytes of text at most.\n`)
        const answer = await witness.addCheckpoint(body)
        send(answer.status, answer.body, answer.type)
      })
      .catch((error: unknown) => {
        onProblem(error)
        if (response.headersSent) response.destroy()
        else send(500, 'The witness could not do this. See its output for the cause.\n')
      })
  })
  server.requestTimeout = requestMs
  server.headersTimeout = requestMs
  server.maxConnections = mostConnections
  return server
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > largestAddCheckpoint) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
