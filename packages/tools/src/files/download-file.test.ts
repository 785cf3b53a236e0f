import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { downloadFile } from './download-file.ts'
import { restoreFile } from './restore-file.ts'

const workspace = createBareWorkspace()
let server: Server
let url: string

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://elsewhere.test/' }).end()
    else if (request.url === '/file') response.end(Buffer.from([0, 1, 255]))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  workspace.remove()
})

describe('download_file', () => {
  it('writes what came, names the address and the file, and its undo removes it', async () => {
    const { resources, result } = await workspace.use(downloadFile, { url: `${url}/file`, path: 'd/file' })
    expect([...readFileSync(join(workspace.root, 'd/file'))]).toEqual([0, 1, 255])
    expect(resources).toMatchObject([
      { type: 'url', method: 'GET', host: '127.0.0.1', redirects: 'same-host' },
      { type: 'file', path: 'd/file', op: 'write', identity: 'absent' },
    ])
    await workspace.use(restoreFile, JSON.parse(result.undo?.args ?? '') as JsonObject)
    expect(existsSync(join(workspace.root, 'd'))).toBe(false)
  })

  it('writes nothing when the answer is an error or leads elsewhere', async () => {
    const away = await workspace.use(downloadFile, { url: `${url}/away`, path: 'x' })
    expect(away.result).toMatchObject({ ok: false, text: expect.stringContaining('http://elsewhere.test/') })
    expect((await workspace.use(downloadFile, { url: `${url}/none`, path: 'x' })).result.ok).toBe(false)
    expect(existsSync(join(workspace.root, 'x'))).toBe(false)
  })

  it('fetches across the boundary and refuses a closed address and a path outside', async () => {
    expect(await workspace.resolve(downloadFile, { url, path: 'x' })).toMatchObject({
      effects: [
        { verb: 'fetch', scope: 'boundary' },
        { verb: 'write', reversible: true },
      ],
    })
    for (const args of [
      { url: 'http://closed.test/', path: 'x' },
      { url, path: '/etc/x' },
      { url, path: '.' },
    ])
      expect(await workspace.resolve(downloadFile, args)).toMatchObject({ kind: 'invalid' })
  })
})
