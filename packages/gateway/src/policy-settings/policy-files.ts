/** Owns the files that say the policy to people and to the next start: the folder of rules and two lines of the configuration. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type PolicyDocument } from '@countersign/contract'
import { type HomePaths, replaceFile } from '@countersign/contract/node'
import { z } from 'zod'
import { readPolicyFiles } from '../config.ts'

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
  const before = readConfiguration(paths.config)
  const after = {
    ...before,
    ...(keep.autonomy ? {} : { autonomy: document.autonomy }),
    ...(keep.passkeyTools || (document.passkeyTools.length === 0 && !('passkeyTools' in before))
      ? {}
      : { passkeyTools: document.passkeyTools }),
  }
  if (JSON.stringify(after) !== JSON.stringify(before))
    replaceFile(paths.config, `${JSON.stringify(after, null, 2)}\n`)
}

function readConfiguration(file: string): Record<string, unknown> {
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
