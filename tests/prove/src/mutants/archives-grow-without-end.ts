/** The parts of an office document are unpacked however large they grow. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutate } from './mutate.ts'

const programs = fileURLToPath(
  new URL('../../../../packages/executor/src/documents/program', import.meta.url),
)
const copy = mkdtempSync(join(tmpdir(), 'prove-archives-'))
cpSync(programs, copy, { recursive: true })
const archive = join(copy, 'office/archive.ts')
const text = readFileSync(archive, 'utf8')
const changed = text.replace(
  'partBytes: 64_000_000, unpackedBytes: 100_000_000',
  'partBytes: 2e9, unpackedBytes: 2e9',
)
if (changed === text) throw new Error('archive.ts has outgrown this mutant')
writeFileSync(archive, changed)

mutate(import.meta.url, [
  {
    file: 'executor/src/documents/document-programs.ts',
    from: "realpathSync(fileURLToPath(new URL('./program', import.meta.url)))",
    to: JSON.stringify(copy),
  },
])
