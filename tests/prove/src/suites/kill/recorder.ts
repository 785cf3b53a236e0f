/** Owns the recorder's process and the reading of its file: what really happened, whatever the gateway says. */
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface RecordedEffect {
  readonly id: string
  readonly at: string
}

export interface Recorder {
  readonly port: number
  effects(): readonly RecordedEffect[]
  /** Resolves when another effect arrives, or when the time is up. */
  next(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

const mainPath = fileURLToPath(new URL('./recorder-main.ts', import.meta.url))

export async function startRecorder(): Promise<Recorder> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-recorder-'))
  const file = join(folder, 'effects.jsonl')
  const child = fork(mainPath, [file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number }))
    child.once('exit', (code) => reject(new Error(`The recorder ended with ${code}.`)))
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    port,
    effects: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as RecordedEffect),
    async next(timeoutMs) {
      const size = statSync(file).size
      for (const until = Date.now() + timeoutMs; Date.now() < until && statSync(file).size === size; ) {
        await sleep(5)
      }
    },
    async close() {
      if (child.connected) child.disconnect()
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
