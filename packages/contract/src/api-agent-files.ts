/**
 * Owns the shapes of the files of the workspace that agents are told: the operator accepts the content of one, and a
 * file that says anything else is not told.
 */
import { z } from 'zod'
import { WorkspaceFilePath } from './api-files.ts'
import { Label } from './trust.ts'

/** A file that agents are told is read by people before they accept it. */
export const largestToldFile = 65_536
export const mostToldFiles = 4

export const ToldFilePath = WorkspaceFilePath.refine((path) => path !== '.' && path.length <= 500, {
  error: 'is not a file of the workspace',
})

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * `told` is in the prompts. `changed` says something else than was accepted, `missing` cannot be read as a text of the
 * workspace, and `untrusted` is marked as holding words of strangers: none of these is told.
 */
export const ToldFileState = z.enum(['told', 'changed', 'missing', 'untrusted'])
export type ToldFileState = z.infer<typeof ToldFileState>

export const ToldFile = z.strictObject({
  path: z.string(),
  /** Of the content that was accepted. */
  sha256: Sha256,
  /** The operator said that nothing in it is private. */
  isPublic: z.boolean(),
  acceptedAt: z.string(),
  state: ToldFileState,
})
export type ToldFile = z.infer<typeof ToldFile>

/** A file as the operator is shown it before it is accepted. */
export const ToldFileContent = z.strictObject({
  path: z.string(),
  sha256: Sha256,
  text: z.string(),
  /** How many characters of it a prompt holds. */
  told: z.int(),
  /** What its mark says; null where nothing is known against it. */
  label: Label.nullable(),
  /** Exactly this is accepted. */
  isAccepted: z.boolean(),
})
export type ToldFileContent = z.infer<typeof ToldFileContent>

export const AcceptToldFile = z.strictObject({
  path: ToldFilePath,
  /** Of what was shown: another content is not accepted by it. */
  sha256: Sha256,
  isPublic: z.boolean().default(false),
})
export type AcceptToldFile = z.infer<typeof AcceptToldFile>

export const ToldFileAccepted = z.strictObject({ file: ToldFile, ledger: z.int() })
export type ToldFileAccepted = z.infer<typeof ToldFileAccepted>

export const ToldFileRemoved = z.strictObject({ path: z.string(), ledger: z.int() })
export type ToldFileRemoved = z.infer<typeof ToldFileRemoved>
