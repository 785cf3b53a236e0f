/** Owns the table of the routes of the workspace and of the marks on files. */
import { z } from 'zod'
import {
  FileDistrusted,
  FileMarks,
  FilePath,
  FileTrusted,
  largestFilePart,
  UploadName,
  UploadPart,
  UploadReceived,
  WorkspaceFilePart,
  WorkspaceFilePath,
  WorkspaceFolder,
} from '../api-files.ts'
import { define } from './define.ts'

const Part = z.object({
  path: WorkspaceFilePath,
  offset: z.coerce.number().int().min(0).default(0),
  length: z.coerce.number().int().min(1).max(largestFilePart).default(largestFilePart),
})

export const fileRoutes = {
  folder: define(
    'get',
    '/v1/files/folder',
    'A folder of the workspace, with the marks of what is in it.',
    WorkspaceFolder,
    {
      query: z.object({ path: WorkspaceFilePath.default('.') }),
    },
  ),
  filePart: define(
    'get',
    '/v1/files/content',
    'A part of a file of the workspace, as base64.',
    WorkspaceFilePart,
    {
      query: Part,
    },
  ),
  uploadPart: define(
    'post',
    '/v1/files/uploads/{sha256}',
    'Takes a part of a file that write_upload puts into the workspace.',
    UploadReceived,
    { params: z.object({ sha256: UploadName }), body: UploadPart },
  ),
  fileMarks: define(
    'get',
    '/v1/files/marks',
    'Files marked as untrusted, and those marked as trusted.',
    FileMarks,
    {
      query: z.object({ path: FilePath.shape.path.optional() }),
    },
  ),
  trustFile: define(
    'post',
    '/v1/files/trust',
    'Marks the current content of a file or folder as trusted.',
    FileTrusted,
    { body: FilePath },
  ),
  distrustFile: define('post', '/v1/files/distrust', 'Marks a file or folder as untrusted.', FileDistrusted, {
    body: FilePath,
  }),
}
