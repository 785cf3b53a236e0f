/** Owns changing config.json while the gateway runs. Refuses to write over what is not a JSON object. */
import { readSettings, replaceFile, type Settings } from '@countersign/contract/node'

/** Writes nothing where the file says so already. */
export function changeConfigurationFile(file: string, change: Settings): void {
  const before = readSettings(file)
  const after = { ...before, ...change }
  if (JSON.stringify(after) !== JSON.stringify(before))
    replaceFile(file, `${JSON.stringify(after, null, 2)}\n`)
}
