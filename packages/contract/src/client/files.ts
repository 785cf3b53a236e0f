/** The calls about the marks on files. */
import { FileDistrusted, FileMarks, FileTrusted } from '../api-files.ts'
import { type Call, query } from './call.ts'

export function fileCalls(call: Call) {
  return {
    fileMarks: (path?: string) => call(FileMarks, 'GET', `/v1/files/marks${query({ path })}`),
    trustFile: (path: string) => call(FileTrusted, 'POST', '/v1/files/trust', { path }),
    distrustFile: (path: string) => call(FileDistrusted, 'POST', '/v1/files/distrust', { path }),
  }
}
