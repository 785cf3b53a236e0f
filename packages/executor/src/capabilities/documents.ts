/**
 * The capabilities on documents: the file that the permit names, as it was looked at, given to a program in the sandbox.
 * Refuses files that are too large, and permits for tools that open none.
 */
import type { ApprovalSubject } from '@countersign/contract'
import type { ToolCapabilities } from '@countersign/tools'
import type { DocumentPrograms } from '../documents/document-programs.ts'
import { documentLimits } from '../documents/limits.ts'
import { failure } from './failure.ts'

export interface DocumentParts {
  readonly documents?: DocumentPrograms | undefined
}

export function documentCapabilities(
  subject: Pick<ApprovalSubject, 'sandbox'>,
  files: Pick<ToolCapabilities['files'], 'read'>,
  { documents }: DocumentParts = {},
): ToolCapabilities['documents'] {
  return {
    async run(question, from, signal) {
      if (!documents) return failure('There is no sandbox.')
      if (!subject.sandbox.startsWith('documents:'))
        return failure('The permit is for a tool that opens no documents.')
      const { maxInputBytes } = documentLimits
      if (from === null) return documents.run(question, null, signal)
      if (from instanceof Uint8Array)
        return from.length > maxInputBytes
          ? failure(`It is larger than ${maxInputBytes / 1_000_000} MB.`)
          : documents.run(question, from, signal)
      const content = await files.read(from, maxInputBytes)
      if (content.kind === 'failed') return content
      if (content.bytes.length < content.size)
        return failure(`${from.path} is larger than ${maxInputBytes / 1_000_000} MB.`)
      return documents.run(question, content.bytes, signal)
    },
  }
}
