/** The calls about the workspace and the marks on files. */
import { fileRoutes } from '../routes/files.ts'
import type { Call } from './call.ts'

export function fileCalls(call: Call) {
  return {
    folder: (path: string) => call(fileRoutes.folder, { query: { path } }),
    filePart: (path: string, offset = 0, length?: number) =>
      call(fileRoutes.filePart, { query: { path, offset, length } }),
    uploadPart: (sha256: string, offset: number, base64: string) =>
      call(fileRoutes.uploadPart, { params: { sha256 }, body: { offset, base64 } }),
    fileMarks: (path?: string) => call(fileRoutes.fileMarks, { query: { path } }),
    trustFile: (path: string) => call(fileRoutes.trustFile, { body: { path } }),
    distrustFile: (path: string) => call(fileRoutes.distrustFile, { body: { path } }),
  }
}
