/** Owns the moment at which the executor has made its own copy of a file: whoever swaps the file then is in the window. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Acts once, at the copy of that path. What it gives stops the waiting and says whether it acted. */
export function whenSealed(executor: string, path: string, act: () => void): () => boolean {
  let isDone = false
  let isStopped = false
  const look = () => {
    if (isStopped) return
    if (foldersIn(join(executor, 'sealed')).some((folder) => existsSync(join(folder, 'files', path)))) {
      isDone = true
      // The copy is there before it is compared.
      setTimeout(act, 2)
      return
    }
    setImmediate(look)
  }
  look()
  return () => {
    isStopped = true
    return isDone
  }
}

/** Whether a command that runs has written the file, which shows in its view only until it is taken over. */
export function isWritten(executor: string, path: string): boolean {
  return foldersIn(join(executor, 'sealed')).some((folder) => existsSync(join(folder, 'changes', path)))
}

function foldersIn(sealing: string): string[] {
  return entriesOf(sealing).flatMap((own) => entriesOf(join(own, 'calls')))
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    // Not made yet, or gone between two looks.
    return []
  }
}
