import type { ToolDefinition } from '../definition.ts'
import { copyFile } from './copy-file.ts'
import { createFolder } from './create-folder.ts'
import { deleteFile } from './delete-file.ts'
import { downloadFile } from './download-file.ts'
import { editFile } from './edit-file.ts'
import { fileInfo } from './file-info.ts'
import { listDirectory } from './list-directory.ts'
import { moveFile } from './move-file.ts'
import { readDocument } from './read-document.ts'
import { readFile } from './read-file.ts'
import { removeFolder } from './remove-folder.ts'
import { restoreFile } from './restore-file.ts'
import { restoreFiles } from './restore-files.ts'
import { restoreWorkspace } from './restore-workspace.ts'
import { searchFiles } from './search-files.ts'
import { sendFile } from './send-file.ts'
import { takeOverChanges } from './take-over-changes.ts'
import { writeBinaryFile } from './write-binary-file.ts'
import { writeFile } from './write-file.ts'
import { writeUpload } from './write-upload.ts'

export const filesTools: readonly ToolDefinition[] = [
  readFile,
  readDocument,
  writeFile,
  editFile,
  writeBinaryFile,
  writeUpload,
  listDirectory,
  searchFiles,
  fileInfo,
  copyFile,
  moveFile,
  deleteFile,
  createFolder,
  downloadFile,
  restoreFile,
  restoreFiles,
  restoreWorkspace,
  takeOverChanges,
  removeFolder,
  sendFile,
]
