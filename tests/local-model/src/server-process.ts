/** Owns the model server in a process of its own, so that what the gateway does and what the model does are apart. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { RequestNote } from './notes.ts'
import type { LocalModel } from './weights.ts'

export interface LocalServer {
  /** With the version path. */
  readonly baseUrl: string
  notes(): Promise<readonly RequestNote[]>
  close(): Promise<void>
}

/** Resolves when the model is loaded and the server listens. */
export async function startLocalServer({ folder, weights }: LocalModel): Promise<LocalServer> {
  const program = fileURLToPath(new URL('./server.ts', import.meta.url))
  const child = spawn(process.execPath, [program, folder, weights], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
  })
  const gone = once(child, 'exit')
  const [url] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    gone.then(([code]) => {
      throw new Error(`The model server ended with ${String(code)} before it listened.`)
    }),
  ])) as [string]
  return {
    baseUrl: `${url}/v1`,
    async notes() {
      return (await (await fetch(`${url}/notes`)).json()) as readonly RequestNote[]
    },
    async close() {
      child.stdin.end()
      await gone
    },
  }
}
