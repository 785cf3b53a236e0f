/** The calls about the marks on files. */
import { fileRoutes } from '../routes/files.ts'
import type { Call } from './call.ts'

export function fileCalls(call: Call) {
  return {
    fileMarks: (path?: string) => call(fileRoutes.fileMarks, { query: { path } }),
    trustFile: (path: string) => call(fileRoutes.trustFile, { body: { path } }),
    distrustFile: (path: string) => call(fileRoutes.distrustFile, { body: { path } }),
  }
}
