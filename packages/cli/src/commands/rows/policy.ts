/** The rows of `countersign policy`. */
import { Autonomy } from '@countersign/contract'
import { type CommandRow, needed, type OptionRow, optional } from '../../command-row.ts'

export const policySummary = 'the policy: level, rules and their history'

const draft: readonly OptionRow[] = [
  { flags: '--level <level>', summary: 'level from none to full' },
  { flags: '--rules <path>', summary: 'folder of .cedar files, or one file, in place of your rules' },
  {
    flags: '--passkey-tools <names>',
    summary: 'tools whose every call needs your passkey, with commas between',
  },
]

export const policyRows: readonly CommandRow[] = [
  {
    name: 'policy show',
    summary: 'show the policy in force: rules as sentences, since when, by whom',
    arguments: [optional('version', 'number of an earlier version')],
    options: [],
    examples: ['countersign policy show', 'countersign policy show 3'],
    load: async () => (await import('../policy.ts')).show,
  },
  {
    name: 'policy level',
    summary: 'show or change the level of autonomy',
    arguments: [{ ...optional('level', 'new level'), choices: Autonomy.options }],
    options: [],
    examples: ['countersign policy level', 'countersign policy level low'],
    load: async () => (await import('../policy.ts')).level,
  },
  {
    name: 'policy check',
    summary: 'check a draft and say what it would loosen; changes nothing',
    arguments: [optional('path', 'folder of .cedar files, or one file')],
    options: draft,
    examples: ['countersign policy check ./policy.d'],
    load: async () => (await import('../policy.ts')).check,
  },
  {
    name: 'policy simulate',
    summary: 'judge past calls again by a draft; changes nothing',
    arguments: [],
    options: [...draft, { flags: '--days <count>', summary: 'how far back (default: 30)' }],
    examples: ['countersign policy simulate --level high', 'countersign policy simulate --rules ./policy.d'],
    load: async () => (await import('../policy.ts')).simulate,
  },
  {
    name: 'policy apply',
    summary: 'put a draft in force, sealed by this device',
    arguments: [],
    options: draft,
    examples: ['countersign policy apply --rules ./policy.d'],
    load: async () => (await import('../policy.ts')).apply,
  },
  {
    name: 'policy edit',
    summary: 'edit your rules in $EDITOR, then check and apply them',
    arguments: [],
    options: [],
    examples: ['countersign policy edit'],
    load: async () => (await import('../policy-edit.ts')).edit,
  },
  {
    name: 'policy versions',
    summary: 'list every policy that was in force',
    arguments: [],
    options: [],
    examples: ['countersign policy versions'],
    load: async () => (await import('../policy.ts')).versions,
  },
  {
    name: 'policy as-of',
    summary: 'show the policy that was in force at an entry of the ledger',
    arguments: [needed('entry', 'number of the entry')],
    options: [],
    examples: ['countersign policy as-of 412'],
    load: async () => (await import('../policy.ts')).asOf,
  },
  {
    name: 'policy restore',
    summary: 'put an earlier version in force again',
    arguments: [needed('version', 'number of the version')],
    options: [],
    examples: ['countersign policy restore 3'],
    load: async () => (await import('../policy.ts')).restore,
  },
]
