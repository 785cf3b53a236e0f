/** Owns the shapes of programs: who asks by a token, with which limits. A token is told once; no other reply has a field for one. */
import { z } from 'zod'
import { AccountName } from './account-name.ts'
import { PeerLimits } from './api-channels.ts'

export const ProgramName = AccountName

/** The channel of every program, so that nobody in a chat can be taken for one. */
export const programChannel = 'program'

/** How a request asks for a program is known by its requester: `program/<name>`. */
export const programRequester = (name: string): string => `${programChannel}/${name}`

/** `trusted`: its words are worth those of a person whom the operator knows. */
export const ProgramRole = z.enum(['trusted', 'guest'])
export type ProgramRole = z.infer<typeof ProgramRole>

const settings = {
  /** Who may answer it; the first one where it names nobody. */
  agents: z.array(z.string().min(1).max(64)).min(1).max(20),
  role: ProgramRole,
  /** Whether it is told what may be private. */
  private: z.boolean(),
  limits: PeerLimits,
}

export const KnownProgram = z.strictObject({
  name: ProgramName,
  ...settings,
  paused: z.boolean(),
  /** The end of its token, to tell it from another. */
  tokenEnd: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  /** To the minute; null where it never asked. */
  lastUsedAt: z.string().nullable(),
  /** Since the operator's day began. */
  spentUsd: z.number(),
  questions: z.int(),
})
export type KnownProgram = z.infer<typeof KnownProgram>

export const AddProgram = z.strictObject({
  name: ProgramName,
  agents: settings.agents.default(['reception']),
  role: ProgramRole.default('guest'),
  private: z.boolean().default(false),
  limits: PeerLimits.partial().default({}),
})
export type AddProgram = z.input<typeof AddProgram>

export const ChangeProgram = z.strictObject({
  agents: settings.agents.optional(),
  role: ProgramRole.optional(),
  private: z.boolean().optional(),
  limits: PeerLimits.partial().optional(),
  paused: z.boolean().optional(),
})
export type ChangeProgram = z.infer<typeof ChangeProgram>

/** Its token, which is shown now and never again. */
export const ProgramToken = z.strictObject({ program: KnownProgram, token: z.string(), ledger: z.int() })
export type ProgramToken = z.infer<typeof ProgramToken>

export const ProgramChanged = z.strictObject({ program: KnownProgram, ledger: z.int() })
export type ProgramChanged = z.infer<typeof ProgramChanged>
