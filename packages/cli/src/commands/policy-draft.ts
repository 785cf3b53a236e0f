/** Owns how a draft of a policy comes about on a command line: what is in force, with what the options say instead. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  Autonomy,
  CountersignError,
  type PolicyDocument,
  PolicyDraft,
  type PolicyView,
} from '@countersign/contract'
import type { OptionValues } from '../context.ts'

/** Undefined where no option says anything. */
export function draftIn(options: OptionValues, { document }: PolicyView): PolicyDocument | undefined {
  const { rules, level, passkeyTools } = options
  if (rules === undefined && level === undefined && passkeyTools === undefined) return undefined
  return checkedDraft({
    ...document,
    ...(typeof rules === 'string' ? { files: rulesAt(rules) } : {}),
    ...(typeof level === 'string' ? { autonomy: level as Autonomy } : {}),
    ...(typeof passkeyTools === 'string' ? { passkeyTools: namesIn(passkeyTools) } : {}),
  })
}

/** Refuses what the gateway would refuse for its shape, before anything is sent. */
export function checkedDraft(document: PolicyDocument): PolicyDocument {
  const checked = PolicyDraft.safeParse(document)
  if (checked.success) return checked.data
  throw new CountersignError(
    'policy_invalid',
    checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    {
      next: `A level is one of: ${Autonomy.options.join(', ')}. Rules are files that end in .cedar.`,
    },
  )
}

/** Every `.cedar` file of a folder, or one file. */
function rulesAt(path: string): PolicyDocument['files'] {
  try {
    if (!statSync(path).isDirectory()) return [{ name: basename(path), text: readFileSync(path, 'utf8') }]
    return readdirSync(path)
      .filter((name) => name.endsWith('.cedar'))
      .toSorted()
      .map((name) => ({ name, text: readFileSync(join(path, name), 'utf8') }))
  } catch (cause) {
    throw new CountersignError('not_found', `The rules at ${path} cannot be read.`, {
      cause,
      next: 'Name a folder of .cedar files, or one file.',
    })
  }
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}
