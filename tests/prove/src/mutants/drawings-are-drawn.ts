/** Pictures of any form are opened, also those that are drawn by a description. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutate } from './mutate.ts'

const programs = fileURLToPath(
  new URL('../../../../packages/executor/src/documents/program', import.meta.url),
)
const copy = mkdtempSync(join(tmpdir(), 'prove-drawings-'))
cpSync(programs, copy, { recursive: true })
const image = join(copy, 'image.ts')
const text = readFileSync(image, 'utf8')
const changed = text
  .replace("sharp.block({ operation: ['VipsForeignLoad'] })", '')
  .replace("'tiff', 'heif']", "'tiff', 'heif', 'svg']")
if (changed.length !== text.length - 47 + 7) throw new Error('image.ts has outgrown this mutant')
writeFileSync(image, changed)

mutate(import.meta.url, [
  {
    file: 'executor/src/documents/document-programs.ts',
    from: "realpathSync(fileURLToPath(new URL('./program', import.meta.url)))",
    to: JSON.stringify(copy),
  },
])
