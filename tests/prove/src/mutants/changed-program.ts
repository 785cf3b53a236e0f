/** Has the sandbox run programs of ours of which one was changed. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutate } from './mutate.ts'

export function changeProgram(
  mutant: string,
  { file, from, to }: Record<'file' | 'from' | 'to', string>,
): void {
  const programs = fileURLToPath(
    new URL('../../../../packages/executor/src/documents/program', import.meta.url),
  )
  const copy = mkdtempSync(join(tmpdir(), 'prove-program-'))
  cpSync(programs, copy, { recursive: true })
  const text = readFileSync(join(copy, file), 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} has outgrown this mutant`)
  writeFileSync(join(copy, file), text.replace(from, to))
  mutate(mutant, [
    {
      file: 'executor/src/documents/document-programs.ts',
      from: "realpathSync(fileURLToPath(new URL('./program', import.meta.url)))",
      to: JSON.stringify(copy),
    },
  ])
}
