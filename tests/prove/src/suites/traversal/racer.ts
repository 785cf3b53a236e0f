/** Owns the process that races: started when it is told to, ended by its id. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Folders, Shape } from './shapes.ts'

export interface Racer {
  end(): Promise<void>
}

export async function startRacer({ name }: Shape, { workspace, outside }: Folders): Promise<Racer> {
  const program = fileURLToPath(new URL('./racer-main.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, name, workspace, outside],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  await Promise.race([
    new Promise<void>((ready) => child.stdout.once('data', () => ready())),
    ended.then(() => Promise.reject(new Error(`the racer of ${name} ended`))),
  ])
  return {
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
