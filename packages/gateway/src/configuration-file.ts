/** Owns reading and changing config.json while the gateway runs. Refuses to write over what is not a JSON object. */
import { existsSync, readFileSync } from 'node:fs'
import { CountersignError } from '@countersign/contract'
import { replaceFile } from '@countersign/contract/node'
import { z } from 'zod'

export function readConfigurationFile(file: string): Readonly<Record<string, unknown>> {
  if (!existsSync(file)) return {}
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new CountersignError(
      'config_invalid',
      `${file} is not a JSON object, so nothing was written to it.`,
      { cause, next: 'Fix the file, then try again.' },
    )
  }
}

/** Writes nothing where the file says so already. */
export function changeConfigurationFile(file: string, change: Readonly<Record<string, unknown>>): void {
  const before = readConfigurationFile(file)
  const after = { ...before, ...change }
  if (JSON.stringify(after) !== JSON.stringify(before))
    replaceFile(file, `${JSON.stringify(after, null, 2)}\n`)
}
