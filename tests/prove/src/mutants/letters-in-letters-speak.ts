/** A letter that is a file of another is read as if its sender had written it. */
import { mutateProgram } from './mutated-program.ts'

mutateProgram(import.meta.url, 'mail.ts', 'forceRfc822Attachments: true', 'forceRfc822Attachments: false')
