/** The control: looks where a path leads and then writes to it, as many programs do. It must be led out. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWithin } from './grounds.ts'
import { startRacer } from './racer.ts'
import { clear, type Shape } from './shapes.ts'

/** Whether the naive program was led out within the time. */
export async function naiveEscapes(shape: Shape, parent: string, seconds: number): Promise<boolean> {
  const folder = mkdtempSync(join(parent, 'naive-'))
  const place = { workspace: join(folder, 'workspace'), outside: join(folder, 'outside') }
  mkdirSync(place.workspace)
  mkdirSync(join(place.outside, 'folder'), { recursive: true })
  const kept = ['secret.txt', 'plain.txt', 'folder/secret.txt'].map((name) => join(place.outside, name))
  for (const path of kept) writeFileSync(path, 'no secret')
  const hasLeft = () =>
    kept.some((path) => readFileSync(path, 'utf8') !== 'no secret') ||
    textOf(join(place.outside, 'new.txt')) !== undefined
  shape.lay(place)
  const racer = await startRacer(shape, place)
  try {
    const until = performance.now() + seconds * 1000
    while (performance.now() < until) {
      for (let turn = 0; turn < 50; turn += 1) naiveWrite(join(place.workspace, shape.path), place.workspace)
      if (hasLeft()) return true
      await new Promise((resume) => setImmediate(resume))
    }
    return hasLeft()
  } finally {
    await racer.end()
    clear(place)
    rmSync(folder, { recursive: true, force: true })
  }
}

function naiveWrite(path: string, root: string): void {
  try {
    const real = textOf(path) === undefined ? realpathSync(dirname(path)) : realpathSync(path)
    if (isWithin(real, root)) writeFileSync(path, 'led out')
  } catch {
    // The path was being turned.
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
