/**
 * The world outside: takes effects over HTTP and writes each down before it answers. Knows nothing of permits, is not
 * restarted, and keeps its answer back for as long as the request says, so that a kill can fall into the wait.
 */
import { fsyncSync, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const file = openSync(process.argv[2] ?? '', 'a')

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    const { id, holdMs } = JSON.parse(body) as { id: string; holdMs: number }
    writeSync(file, `${JSON.stringify({ id, at: new Date().toISOString() })}\n`)
    fsyncSync(file)
    setTimeout(() => response.end('recorded'), holdMs)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))
