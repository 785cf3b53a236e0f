/** A registry for tests on loopback: `left` for npm, with an install script that leaves a mark, and `right` for pip. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface PackageRegistry {
  readonly url: string
  readonly port: number
  close(): void
}

export async function openPackageRegistry(): Promise<PackageRegistry> {
  const goods = mkdtempSync(join(tmpdir(), 'countersign-registry-'))
  const manifest = { name: 'left', version: '1.0.0', scripts: { postinstall: 'touch canary' } }
  mkdirSync(join(goods, 'package'))
  writeFileSync(join(goods, 'package/package.json'), JSON.stringify(manifest))
  execFileSync('tar', ['-czf', 'left.tgz', 'package'], { cwd: goods })
  execFileSync('/usr/bin/python3', ['-c', makeWheel.join('\n')], { cwd: goods })
  let url = ''
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://registry.test').pathname
    if (path === '/left') {
      const versions = {
        '1.0.0': { ...manifest, hasInstallScript: true, dist: { tarball: `${url}/left.tgz` } },
      }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ name: 'left', 'dist-tags': { latest: '1.0.0' }, versions }))
    } else if (path === '/right/') {
      response.setHeader('content-type', 'text/html')
      response.end(`<a href="/${wheel}">${wheel}</a>`)
    } else if (path === '/left.tgz' || path === `/${wheel}`) response.end(readFileSync(join(goods, path)))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
  return {
    url,
    port,
    close() {
      server.close()
      rmSync(goods, { recursive: true, force: true })
    },
  }
}

const wheel = 'right-1.0-py3-none-any.whl'
const about = 'right-1.0.dist-info'
const makeWheel = [
  'import zipfile',
  `z = zipfile.ZipFile("${wheel}", "w")`,
  'z.writestr("right.py", "x = 1")',
  `z.writestr("${about}/METADATA", "Metadata-Version: 2.1\\nName: right\\nVersion: 1.0\\n")`,
  `z.writestr("${about}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")`,
  `z.writestr("${about}/RECORD", "")`,
  'z.close()',
]
