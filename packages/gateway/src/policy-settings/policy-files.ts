/** Owns the files that say the policy to people and to the next start: the folder of rules and two lines of the configuration. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type PolicyDocument } from '@countersign/contract'
import { type HomePaths, readSettings, replaceFile } from '@countersign/contract/node'
import { readPolicyFiles } from '../config.ts'
import { changeConfigurationFile } from '../configuration-file.ts'

/**
 * Refuses while the folder holds rules that were written by hand and not loaded yet: to write over them would take away
 * what somebody meant to hold from the next start on.
 */
export function requireFilesInStep(paths: HomePaths, document: PolicyDocument): void {
  const there = readPolicyFiles(paths)
  const known = new Map(document.files.map(({ name, text }) => [name, text]))
  const strange = there.find(({ name, text }) => known.get(name) !== text)
  if (there.length === known.size && strange === undefined) return
  throw new CountersignError(
    'conflict',
    `The rules in ${paths.policies} were changed by hand since the gateway started, so nothing was changed here.`,
    { next: 'Start the gateway again to load them, then make this change.' },
  )
}

/** Until all of it is written the version in the database stands above the files, so it may end at any point. */
export function writePolicyFiles(
  paths: Pick<HomePaths, 'policies' | 'config'>,
  document: PolicyDocument,
  keep: { readonly autonomy: boolean; readonly passkeyTools: boolean },
): void {
  mkdirSync(paths.policies, { recursive: true, mode: 0o700 })
  for (const { name, text } of document.files) {
    const file = join(paths.policies, name)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) replaceFile(file, text)
  }
  const names = new Set(document.files.map(({ name }) => name))
  for (const name of readdirSync(paths.policies))
    if (name.endsWith('.cedar') && !names.has(name)) rmSync(join(paths.policies, name))
  const saysTools = 'passkeyTools' in readSettings(paths.config)
  changeConfigurationFile(paths.config, {
    ...(keep.autonomy ? {} : { autonomy: document.autonomy }),
    ...(keep.passkeyTools || (document.passkeyTools.length === 0 && !saysTools)
      ? {}
      : { passkeyTools: document.passkeyTools }),
  })
}
