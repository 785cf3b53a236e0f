/** Owns the shapes by which the operator looks at the workspace and the marks on files, and says what is theirs. */
import { z } from 'zod'
import { Label } from './trust.ts'

/** In the workspace by its path there, `.` for all of it; elsewhere on the host by its absolute path. */
const path = z
  .string()
  .min(1)
  .max(4_096)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'is not a path')

export const FileMark = z.strictObject({
  /** A folder stands for all that is in it. */
  path: z.string(),
  label: Label,
  markedAt: z.string(),
})
export type FileMark = z.infer<typeof FileMark>

export const FileMarks = z.strictObject({
  /** What holds text of strangers, newest first. */
  marks: z.array(FileMark),
  /** There are more than are listed. */
  more: z.boolean(),
  /** What the operator called their own. */
  own: z.array(z.strictObject({ path: z.string(), saidAt: z.string() })),
})
export type FileMarks = z.infer<typeof FileMarks>

export const FilePath = z.strictObject({ path })
export type FilePath = z.infer<typeof FilePath>

export const FileTrusted = z.strictObject({
  path: z.string(),
  /** How many marks are gone. */
  removed: z.int(),
  ledger: z.int(),
})
export type FileTrusted = z.infer<typeof FileTrusted>

export const FileDistrusted = z.strictObject({ path: z.string(), ledger: z.int() })
export type FileDistrusted = z.infer<typeof FileDistrusted>

/** In the workspace, and nowhere else: relative, without a step up. */
export const WorkspaceFilePath = z
  .string()
  .min(1)
  .max(4_096)
  .refine(
    (text) =>
      text === '.' ||
      (text.isWellFormed() &&
        !/[\0\\]/.test(text) &&
        text.split('/').every((part) => part !== '' && part !== '.' && part !== '..')),
    'is not a path in the workspace',
  )

export const WorkspaceEntry = z.strictObject({
  name: z.string(),
  path: z.string(),
  /** A link is never followed here. */
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.int(),
  modifiedAt: z.string(),
  /** What reading it brings in; null where nothing is known against it. */
  label: Label.nullable(),
})
export type WorkspaceEntry = z.infer<typeof WorkspaceEntry>

export const mostFolderEntries = 500

export const WorkspaceFolder = z.strictObject({
  path: z.string(),
  /** Folders first, then by name. */
  entries: z.array(WorkspaceEntry),
  /** There are more than are listed. */
  more: z.boolean(),
})
export type WorkspaceFolder = z.infer<typeof WorkspaceFolder>

/** What one answer holds of a file at most, in bytes. */
export const largestFilePart = 524_288

export const WorkspaceFilePart = z.strictObject({
  path: z.string(),
  size: z.int(),
  modifiedAt: z.string(),
  /** Parts with the same word belong to the same state of the file. */
  version: z.string(),
  offset: z.int(),
  base64: z.string(),
  label: Label.nullable(),
})
export type WorkspaceFilePart = z.infer<typeof WorkspaceFilePart>

/** What an upload is called: the SHA-256 of the whole content, in hexadecimal digits. */
export const UploadName = z.string().regex(/^[0-9a-f]{64}$/)

/** The part that follows what came already; the first begins anew. */
export const UploadPart = z.strictObject({ offset: z.int().min(0), base64: z.base64() })

export const UploadReceived = z.strictObject({
  /** How many bytes of the content are here. */
  received: z.int(),
})
export type UploadReceived = z.infer<typeof UploadReceived>
