import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const program = `
import { webCall } from ${JSON.stringify(new URL('./web-call.ts', import.meta.url).href)}
const call = { method: 'GET', most: 100, patienceMs: 5000, signal: new AbortController().signal }
console.log(JSON.stringify(await webCall('https://platform.example/', call)))
`

it('says that nothing was sent where the proxy makes no connection, as in the sandbox of a plugin', async () => {
  const proxy = createServer().on('connect', (_request, socket) =>
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n'),
  )
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--no-warnings', '-e', program],
    { env: { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: address } },
  )
  proxy.close()
  const result = JSON.parse(stdout) as { kind: string; problem: string }
  expect(result).toMatchObject({ kind: 'not-sent' })
  expect(result.problem).toContain('the proxy answered 403')
})
