/** Makes a mutant of a document program, which runs in the sandbox and is not loaded by our process: from a copy. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutate } from './mutate.ts'

const programs = fileURLToPath(
  new URL('../../../../packages/executor/src/documents/program', import.meta.url),
)

export function mutateProgram(self: string, name: string, from: string, to: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'prove-program-'))
  cpSync(programs, copy, { recursive: true })
  const parts = readFileSync(join(copy, name), 'utf8').split(from)
  if (parts.length !== 2) throw new Error(`${name} has ${parts.length - 1} places that read: ${from}`)
  writeFileSync(join(copy, name), parts.join(to))
  mutate(self, [
    {
      file: 'executor/src/documents/document-programs.ts',
      from: "realpathSync(fileURLToPath(new URL('./program', import.meta.url)))",
      to: JSON.stringify(copy),
    },
  ])
}
