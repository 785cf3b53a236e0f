/** Owns what the verifier says of an exported ledger, in a process of its own as an auditor would start it. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Installation } from '@countersign/harness'

const verifier = fileURLToPath(new URL('../../packages/verify/src/main.ts', import.meta.url))

export async function verifierSays({ home }: Pick<Installation, 'home'>, lines: string): Promise<string> {
  const file = join(home, `ledger-${crypto.randomUUID()}.jsonl`)
  writeFileSync(file, lines)
  return (await promisify(execFile)(process.execPath, [verifier, file])).stdout
}
